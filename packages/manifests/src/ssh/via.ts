import { bracketed } from "../common/names.ts";
import { sshpodHostName } from "../sshpod/host.ts";
import type { SshWay } from "./target.ts";

/** A way as the `--via` option of `drawbridge proxy` reads it. */
export function viaOf(way: SshWay): string {
  switch (way.way) {
    case "gateway":
      return origin(way);
    case "frp":
      // frp knows the container by a name of its own, which is the path here.
      return `${origin(way)}/${way.hostName}`;
    case "sshpod":
      return sshpodHostName({ kind: "pod", name: way.pod, namespace: way.namespace });
  }
}

function origin({ tls, address, port }: Exclude<SshWay, { way: "sshpod" }>): string {
  return `${tls ? "https" : "http"}://${bracketed(address)}:${port}`;
}
