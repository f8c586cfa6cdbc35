import { checkedLine, checkedName } from "./checked-line.ts";
import type { SshTarget } from "./target.ts";

/** A host as ssh looks it up in known_hosts. */
export function knownHostsName(name: string, port: number): string {
  return port === 22 ? checkedName(name) : `[${checkedName(name)}]:${port}`;
}

/** One `known_hosts` line for all names of a host. */
export function knownHostsLine(names: readonly string[], port: number, publicKey: string): string {
  const patterns = [...new Set(names)].map((name) => knownHostsName(name, port));
  return `${checkedLine(`${patterns.join(",")} ${publicKey}`)}\n`;
}

/** The `known_hosts` of containers: every way in looks the key up under the one host name. */
export function knownHostsText(targets: readonly SshTarget[]): string {
  return targets
    .flatMap(({ hostName, port, hostKeys }) => hostKeys.map((key) => knownHostsLine([hostName], port, key)))
    .join("");
}
