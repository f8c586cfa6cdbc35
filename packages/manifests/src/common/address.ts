/** A host name or address as it stands before a port: IPv6 needs brackets there. */
export function bracketed(address: string): string {
  return address.includes(":") ? `[${address}]` : address;
}
