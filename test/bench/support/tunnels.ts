/** Raw CONNECT tunnels, many at once and idle. */
import { connect, type Socket } from "node:net";

/** Where a tunnel begins and the authority that it asks for. */
export interface TunnelDoor {
  readonly address: string;
  readonly port: number;
  /** The CONNECT request's `host:port`; without it the connection itself is the way. */
  readonly authority?: string;
}

/** Opens one tunnel; undefined when it was refused. */
export function openTunnel({ address, port, authority }: TunnelDoor): Promise<Socket | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ host: address, port });
    const refuse = () => {
      socket.destroy();
      resolve(undefined);
    };
    socket.setTimeout(10_000, refuse).on("error", refuse).on("close", refuse);
    const accept = () => {
      socket.setTimeout(0);
      resolve(socket);
    };
    socket.once("connect", () => {
      if (authority === undefined) accept();
      else socket.write(`CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n\r\n`);
    });
    let answer = "";
    socket.on("data", (chunk: Buffer) => {
      answer += chunk.toString("latin1");
      if (!answer.includes("\r\n\r\n")) return;
      if (/^HTTP\/1\.[01] 200 /.test(answer)) accept();
      else refuse();
    });
  });
}

/** Knocks three times: a busy machine may answer too late. */
async function openPatiently(door: TunnelDoor): Promise<Socket | undefined> {
  for (let turn = 1; turn < 3; turn++) {
    const socket = await openTunnel(door);
    if (socket !== undefined) return socket;
  }
  return openTunnel(door);
}

/** Opens `count` tunnels, a hundred at a time; fails when one is refused three times. */
export async function openTunnels(doors: (index: number) => TunnelDoor, count: number): Promise<Socket[]> {
  const sockets: Socket[] = [];
  for (let first = 0; first < count; first += 100) {
    const size = Math.min(100, count - first);
    const opened = await Promise.all(
      Array.from({ length: size }, (_, index) => openPatiently(doors(first + index))),
    );
    sockets.push(...opened.filter((socket) => socket !== undefined));
  }
  if (sockets.length === count) return sockets;
  for (const socket of sockets) socket.destroy();
  throw new Error(`${count - sockets.length} of ${count} tunnels were refused`);
}

/** Tunnels that are held open and carry nothing. */
export class IdleTunnels {
  readonly #sockets: Socket[];

  private constructor(sockets: Socket[]) {
    this.#sockets = sockets;
  }

  static async open(doors: (index: number) => TunnelDoor, count: number): Promise<IdleTunnels> {
    return new IdleTunnels(await openTunnels(doors, count));
  }

  /** How many have ended without having been closed here. */
  get lost(): number {
    return this.#sockets.filter((socket) => socket.destroyed).length;
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy();
  }
}

/** Seconds from `began` (as `performance.now()` has it) until a tunnel stands; asks every 10 ms. */
export async function untilAccepted(door: TunnelDoor, began: number, seconds = 60): Promise<number> {
  for (;;) {
    const socket = await openTunnel(door);
    const passed = (performance.now() - began) / 1000;
    socket?.destroy();
    if (socket !== undefined) return passed;
    if (passed > seconds) throw new Error(`${door.authority} was not accepted within ${seconds} s`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
