/** Tries a pod's port until its sshd says its greeting. */
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

const dialEveryMs = 50;
/** A pod that has not answered so often is dialled more seldom: there may be a thousand of them. */
const manyDials = 200;
const dialSeldomMs = 500;
const dialTimeoutMs = 1000;

interface Target {
  readonly port: number;
  /** Where to dial now; undefined while nobody knows. */
  address(): string | undefined;
  readonly dial?: (to: { readonly host: string; readonly port: number }) => Socket;
}

/**
 * The address at which sshd has greeted; rejects by the signal. A dial that hangs is not waited for: a network drops what
 * reaches a new pod before its rules are in place, and TCP tries again only after a second. Nothing more is dialled while a
 * connection stands, since sshd counts those that come and go without a login.
 */
export async function greeted(
  { port, address, dial = connect }: Target,
  signal: AbortSignal,
): Promise<string> {
  const open = new Set<Socket>();
  let found: string | undefined;
  let dials = 0;
  let answer = () => {};
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const start = (host: string) => {
    const socket = dial({ host, port });
    open.add(socket);
    socket.setTimeout(dialTimeoutMs, () => socket.destroy());
    socket.on("error", () => {});
    socket.on("close", () => open.delete(socket));
    socket.once("data", (bytes) => {
      socket.destroy();
      if (!bytes.toString("latin1").startsWith("SSH-")) return;
      found ??= host;
      answer();
    });
  };
  try {
    while (found === undefined) {
      signal.throwIfAborted();
      const host = address();
      const stands = [...open].some(({ connecting }) => !connecting);
      if (host !== undefined && !stands) {
        dials += 1;
        start(host);
      }
      await Promise.race([answered, sleep(dials < manyDials ? dialEveryMs : dialSeldomMs)]);
    }
    return found;
  } finally {
    for (const socket of open) socket.destroy();
  }
}
