/** What tests take of this machine: ports of its loopback. */
import { once } from "node:events";
import type { AddressInfo, Server } from "node:net";

/** Starts a server; returns its port. */
export async function listening(server: Server): Promise<number> {
  await once(server.listen(0, "127.0.0.1"), "listening");
  return (server.address() as AddressInfo).port;
}
