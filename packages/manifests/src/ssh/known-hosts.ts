import type { SshTarget } from "./target.ts";

/** One `known_hosts` line for all names of a host; ssh writes a port other than 22 as `[name]:port`. */
export function knownHostsLine(names: readonly string[], port: number, publicKey: string): string {
  const patterns = names.map((name) => (port === 22 ? name : `[${name}]:${port}`));
  return `${patterns.join(",")} ${publicKey}\n`;
}

/** The `known_hosts` of containers: every way in looks the key up under the one host name. */
export function knownHostsText(targets: readonly SshTarget[]): string {
  return targets
    .flatMap(({ hostName, port, hostKeys }) => hostKeys.map((key) => knownHostsLine([hostName], port, key)))
    .join("");
}
