/** One `known_hosts` line for all names of a host; ssh writes a port other than 22 as `[name]:port`. */
export function knownHostsLine(names: readonly string[], port: number, publicKey: string): string {
  const patterns = names.map((name) => (port === 22 ? name : `[${name}]:${port}`));
  return `${patterns.join(",")} ${publicKey}\n`;
}
