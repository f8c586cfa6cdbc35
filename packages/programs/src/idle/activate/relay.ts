import { connect, type Socket } from "node:net";

/** Joins a client to sshd, half-closed ends included. */
export function relay(client: Socket, head: Buffer, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const upstream = connect({ host, port, allowHalfOpen: true, noDelay: true });
    upstream.setKeepAlive(true, 60_000);
    upstream.once("connect", () => {
      upstream.write(head);
      client.pipe(upstream);
      upstream.pipe(client);
      client.resume();
    });
    const end = () => {
      client.destroy();
      upstream.destroy();
    };
    upstream.once("error", (error) => {
      reject(error);
      end();
    });
    client.once("error", end);
    client.once("close", end);
    upstream.once("close", () => {
      end();
      resolve();
    });
  });
}
