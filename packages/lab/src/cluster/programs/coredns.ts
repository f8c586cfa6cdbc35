import { join } from "node:path";
import { addresses, clusterDomain } from "../addresses.ts";
import type { Plan } from "../plan.ts";
import { httpOk } from "../supervisor/probes.ts";
import type { Program } from "../supervisor/program.ts";

/** Names of the cluster come from its API; any other name does not exist, since an instance has no way out. */
export function corefile(kubeconfig: string): string {
  // Two blocks, since CoreDNS asks `template` before `kubernetes` within one.
  return `${clusterDomain}:53 in-addr.arpa:53 ip6.arpa:53 {
  bind ${addresses.node}
  errors
  ready 127.0.0.1:8181
  kubernetes ${clusterDomain} in-addr.arpa ip6.arpa {
    kubeconfig ${kubeconfig}
    pods insecure
  }
}
.:53 {
  bind ${addresses.node}
  errors
  template IN ANY . {
    rcode NXDOMAIN
  }
}
`;
}

export function coredns({ tools, layout }: Plan): Program {
  const config = join(layout.config, "Corefile");
  return {
    name: "coredns",
    after: ["dns objects"],
    command: tools.coredns,
    args: ["-conf", config],
    files: { [config]: corefile(join(layout.kubeconfigs, "coredns")) },
    ready: httpOk("http://127.0.0.1:8181/ready"),
  };
}
