/** A TCP connection to a name, whichever of its addresses answers. */
import net from "node:net";
import { OneBufferSocket } from "./one-buffer.ts";

/** How long one address may be silent before the next one is tried beside it, in milliseconds (RFC 8305). */
const headStartMs = 250;

export type DialFault = NodeJS.ErrnoException & { reason?: string };

/**
 * Connects to the first address that answers. Node's own way gives an address up after a quarter of a second, which a
 * distant one or a lost packet exceeds; here each may answer until all is given up.
 * @param timeoutMs after this long without an answer the error's code is `ETIMEDOUT`
 */
export async function connectTo(host: string, port: number, timeoutMs: number): Promise<OneBufferSocket> {
  const addresses = net.isIP(host) === 0 ? await addressesOf(host) : [host];
  return new Promise((resolve, reject) => {
    const attempts = new Set<OneBufferSocket>();
    const faults: DialFault[] = [];
    const waiting = [...addresses];
    let next: NodeJS.Timeout | undefined;
    const end = (winner?: OneBufferSocket) => {
      clearTimeout(next);
      clearTimeout(limit);
      for (const socket of attempts) if (socket !== winner) socket.destroy();
      if (winner !== undefined) resolve(winner.removeAllListeners("error").removeAllListeners("connect"));
    };
    const limit = setTimeout(() => {
      end();
      reject(Object.assign(new Error("no answer"), { code: "ETIMEDOUT" }));
    }, timeoutMs);
    const begin = () => {
      clearTimeout(next);
      const address = waiting.shift();
      if (address === undefined) return;
      if (waiting.length > 0) next = setTimeout(begin, headStartMs);
      const socket = OneBufferSocket.open({ noDelay: true, keepAlive: true });
      attempts.add(socket);
      socket
        .once("connect", () => end(socket))
        .on("error", (error: DialFault) => {
          faults.push(error);
          if (faults.length < addresses.length) return begin();
          end();
          // What refuses says more than a network that is not there.
          reject(faults.find(({ code }) => code === "ECONNREFUSED") ?? faults[0] ?? error);
        });
      socket.connect({ host: address, port });
    };
    begin();
  });
}

/** In turns of one address of each family, as the system prefers them. */
async function addressesOf(host: string): Promise<string[]> {
  const { lookup } = process.getBuiltinModule("node:dns/promises");
  const found = await lookup(host, { all: true });
  const first = found.filter(({ family }) => family === found[0]?.family);
  const second = found.filter(({ family }) => family !== found[0]?.family);
  return found.flatMap((_, at) => [first[at], second[at]]).flatMap((one) => one?.address ?? []);
}
