/** A client that waits for a container: what it hears meanwhile, and for how long it waits. */
import type { Socket } from "node:net";
import { heldMark } from "../../made/contract.ts";
import type { Arrival } from "./arrival.ts";

const lookEveryMs = 500;
/** A failure that lasts so long needs a human. Others pass: a registry that failed once, the report of a pod that goes. */
const steadyMs = 5000;
/** Every SSH client skips so many lines of that length before the greeting. */
const mostLines = 20;
const longestLine = 240;

export interface Wait {
  /** The container's name. */
  readonly name: string;
  readonly arrival: Arrival;
  /** For how long at most, in seconds. */
  readonly seconds: number;
  /** What keeps the activator itself from waking it, if anything does. */
  readonly problem: () => string | undefined;
}

/** The address at which sshd answers, or why it does not, as soon as that needs a human. */
export function held(
  socket: Socket,
  { name, arrival, seconds, problem }: Wait,
): Promise<string | { readonly fault: string }> {
  const begun = performance.now();
  let failingSince: number | undefined;
  let said: string | undefined;
  let lines = 0;
  return new Promise((resolve) => {
    const end = (outcome: string | { readonly fault: string }) => {
      clearInterval(timer);
      socket.off("close", onClose);
      resolve(outcome);
    };
    const late = () => end({ fault: `it did not start within ${seconds} s: ${said ?? "no more is known"}` });
    const onClose = () => end({ fault: "the client has gone" });
    const look = () => {
      const now = performance.now();
      const { fault } = arrival;
      const why = problem() ?? fault?.message;
      if (why !== undefined && why !== said && lines < mostLines) {
        lines += 1;
        socket.write(heldText(`${name}: ${why}`));
      }
      said = why;
      failingSince = fault?.failing === true ? (failingSince ?? now) : undefined;
      if (failingSince !== undefined && now - failingSince >= steadyMs) {
        end({ fault: `it cannot start: ${why}` });
      } else if (now - begun >= seconds * 1000) late();
    };
    const timer = setInterval(look, lookEveryMs);
    socket.once("close", onClose);
    arrival.address.then(end, late);
  });
}

/** As a line before the greeting: of printable ASCII, whatever a pod's report has. */
function heldText(text: string): string {
  const line = `${heldMark}${text.replace(/[^\x20-\x7e]/g, " ")}`;
  return `${line.length > longestLine ? `${line.slice(0, longestLine - 3)}...` : line}\r\n`;
}
