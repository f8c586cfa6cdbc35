import { sshpodHostName } from "../sshpod/host.ts";
import type { SshWay } from "./target.ts";

/** A way as the `--via` option of `drawbridge proxy` reads it. */
export function viaOf(way: SshWay): string {
  switch (way.way) {
    case "gateway":
      return `${way.tls ? "https" : "http"}://${bracketed(way.address)}:${way.port}`;
    case "frp":
      // frp knows the container by a name of its own, which is the path here.
      return `${way.tls ? "https" : "http"}://${bracketed(way.address)}:${way.port}/${way.hostName}`;
    case "sshpod":
      return sshpodHostName({ kind: "pod", name: way.pod, namespace: way.namespace });
  }
}

function bracketed(address: string): string {
  return address.includes(":") ? `[${address}]` : address;
}
