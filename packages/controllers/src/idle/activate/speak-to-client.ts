/**
 * A client of a sleeping container: its greeting, its wait, and its way to sshd or the reason for its end. It speaks
 * only the part of SSH before the key exchange (RFC 4253).
 */

import { connect, type Socket } from "node:net";
import { activatorGreeting, heldMark } from "@drawbridge-iac/drawbridge/src/host/idle/contract";
import type { Arrival } from "./wait-for-sshd.ts";

const maximumGreeting = 255;

/**
 * The client's greeting, with which its bytes begin: undefined while more of it may come, false if they begin otherwise.
 * So HTTP and TLS never wake a container, nor does silence.
 */
export function greetingOf(bytes: Buffer): string | undefined | false {
  const text = bytes.subarray(0, maximumGreeting).toString("latin1");
  const expected = "SSH-2.0-";
  if (!expected.startsWith(text.slice(0, expected.length))) return false;
  const end = text.indexOf("\n");
  if (end < 0) return bytes.length >= maximumGreeting ? false : undefined;
  const greeting = text.slice(0, end).replace(/\r$/, "");
  return /^SSH-2\.0-[\x21-\x7e]+( [\x20-\x7e]*)?$/.test(greeting) ? greeting : false;
}

/** The message's number, SSH_MSG_DISCONNECT, and its reason, SSH_DISCONNECT_SERVICE_NOT_AVAILABLE. */
const [disconnect, notAvailable] = [1, 7];

/** Our greeting and a disconnect message: ssh prints the reason. */
export function farewell(reason: string): Buffer {
  const text = Buffer.from(reason);
  const numbers = (...values: number[]) => {
    const buffer = Buffer.alloc(4 * values.length);
    for (const [index, value] of values.entries()) buffer.writeUInt32BE(value, 4 * index);
    return buffer;
  };
  const payload = Buffer.concat([
    Buffer.from([disconnect]),
    numbers(notAvailable, text.length),
    text,
    numbers(0),
  ]);
  // Packet length, padding length, payload and padding are a multiple of 8, with at least 4 bytes of padding.
  const padding = 4 + ((8 - ((payload.length + 5 + 4) % 8)) % 8);
  const head = Buffer.concat([numbers(1 + payload.length + padding), Buffer.from([padding])]);
  return Buffer.concat([Buffer.from(`${activatorGreeting}\r\n`), head, payload, Buffer.alloc(padding)]);
}

const lookEveryMs = 500;
/** A failure that lasts so long needs a human. Others pass: a registry that failed once, the report of a pod that goes. */
const steadyMs = 5000;
/** Every SSH client skips so many lines of that length before the greeting. */
const mostLines = 20;
const longestLine = 240;

interface Wait {
  /** The container's name. */
  readonly name: string;
  readonly arrival: Arrival;
  /** For how long at most, in seconds. */
  readonly seconds: number;
  /** What keeps the activator itself from waking it, if anything does. */
  readonly problem: () => string | undefined;
}

/** Waits with the client and tells it what is wrong. Resolves with sshd's address, or with a fault that needs a human. */
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
    // Aborted without a reason when the time is over; any other reason is the fault to tell.
    arrival.address.then(end, ({ name, message }: Error) =>
      name === "AbortError" ? late() : end({ fault: message }),
    );
  });
}

/** A line before the greeting, in printable ASCII, whatever a pod's report has. */
function heldText(text: string): string {
  const line = `${heldMark}${text.replace(/[^\x20-\x7e]/g, " ")}`;
  return `${line.length > longestLine ? `${line.slice(0, longestLine - 3)}...` : line}\r\n`;
}

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
