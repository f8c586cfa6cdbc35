/** As much of SSH as is spoken before keys are exchanged (RFC 4253): a greeting, and a reason for the end. */
import { activatorGreeting } from "../../made/contract.ts";

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
