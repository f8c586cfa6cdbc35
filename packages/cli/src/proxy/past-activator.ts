/**
 * The way past the activator, which answers for a container that sleeps. A session through the activator would end
 * with the activator's pod, so the client waits until the container is awake and then connects to it directly.
 */
import type { Duplex, Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import {
  activatorGreeting,
  awakeLine,
  heldLine,
  heldMark,
  waitGreeting,
} from "@drawbridge-iac/drawbridge/src/host/idle/contract";
import { CliError, WayError } from "../faults.ts";
import type { OpenWay } from "./first-way.ts";

/**
 * The pause between tries: the gateway learns that the container is awake a moment later than the activator, on a full node
 * some seconds.
 */
const pauseMs = 150;
/** After so many tries the session goes through the activator. */
const mostTries = 50;
/** After this long the user is told that the container is being woken. */
const sayAfterMs = 5000;
/** Time allowed for one of the activator's pods to take over from another. */
const takeOverMs = 20_000;

/**
 * The stream by which the container answers, its first bytes still in it.
 * @param hello what the client says first; empty for one that waits for the server
 * @param say gets why it takes so long
 * @param gone says that the client waits no more
 */
export async function pastActivator(
  { stream, again }: OpenWay,
  hello: Buffer,
  say: (text: string) => void,
  gone?: AbortSignal,
): Promise<Duplex> {
  if (hello.length === 0) return stream;
  let current = stream;
  let isAwake = false;
  for (let tries = 1; ; tries += 1) {
    current.write(hello);
    if (!(await isHeld(current)) || tries > mostTries) return current;
    // It is being woken by now. The wait is by another connection, whose greeting asks to be told and not to be joined.
    current.destroy();
    if (!isAwake) isAwake = await hasAwoken(await reopened(again), say, gone);
    if (gone?.aborted) throw new CliError("its client has gone");
    await sleep(pauseMs);
    current = await reopened(again);
  }
}

/** Pieces of a client's input, of at most 64 KiB each, that are read ahead while the container wakes. */
const mostKept = 16;

/**
 * The same for a client that may give up: it is read on meanwhile, up to `mostKept`, so that its end is seen and the
 * container let go.
 */
export async function pastActivatorFor(
  client: Readable,
  way: OpenWay,
  hello: Buffer,
  say: (text: string) => void,
): Promise<Duplex> {
  const gone = new AbortController();
  const kept: Buffer[] = [];
  const keep = (more: Buffer) => {
    if (kept.push(more) >= mostKept) client.pause();
  };
  const leave = () => gone.abort();
  client.on("data", keep).once("end", leave).once("close", leave).resume();
  const stream = await pastActivator(way, hello, say, gone.signal);
  client.off("data", keep).off("end", leave).off("close", leave).pause();
  if (client.readableEnded) stream.end(Buffer.concat(kept));
  else if (kept.length > 0) client.unshift(Buffer.concat(kept));
  return stream;
}

/** False if the activator's pod was lost meanwhile: then another one is asked from the beginning. */
async function hasAwoken(
  stream: Duplex,
  say: (text: string) => void,
  gone: AbortSignal | undefined,
): Promise<boolean> {
  stream.write(`${waitGreeting}\r\n`);
  const leave = () => stream.destroy();
  gone?.addEventListener("abort", leave);
  if (gone?.aborted) leave();
  try {
    await untilAwake(stream, say);
    return true;
  } catch (error) {
    if (error instanceof Lost) return false;
    throw error;
  }
}

/** Opens the way again. The gateway answers 503 (nobody there) while one of the activator's pods takes over from another. */
async function reopened(again: () => Promise<Duplex>): Promise<Duplex> {
  const until = performance.now() + takeOverMs;
  for (;;) {
    try {
      return await again();
    } catch (error) {
      const isBetween = error instanceof WayError && error.status === 503;
      if (!isBetween || performance.now() > until) throw error;
      await sleep(500);
    }
  }
}

/** A connection that ended without a reason of the activator's. */
class Lost extends CliError {}

const brokenOff = ({ message }: Error) => new Lost(`the connection broke off: ${message}`);

/** The first bytes from any of these streams, and from which; empty if it ended. Leaves all of them paused. */
export function firstOf<S extends Readable>(
  ...streams: readonly S[]
): Promise<{ readonly from: S; readonly bytes: Buffer }> {
  return new Promise((resolve) => {
    const stops = streams.map((from) => {
      const onData = (bytes: Buffer) => settle(bytes);
      const onEnd = () => settle(Buffer.alloc(0));
      const settle = (bytes: Buffer) => {
        for (const stop of stops) stop();
        resolve({ from, bytes });
      };
      from.on("data", onData).once("end", onEnd).once("close", onEnd).resume();
      return () => from.off("data", onData).off("end", onEnd).off("close", onEnd).pause();
    });
  });
}

async function isHeld(stream: Duplex): Promise<boolean> {
  let text = Buffer.alloc(0);
  const mayBe = () => heldMark.startsWith(text.subarray(0, heldMark.length).toString("latin1"));
  while (text.length < heldMark.length && mayBe()) {
    const { bytes } = await firstOf(stream);
    if (stream.errored) throw brokenOff(stream.errored);
    if (bytes.length === 0) break;
    text = Buffer.concat([text, bytes]);
  }
  if (text.length > 0) stream.unshift(text);
  return text.length >= heldMark.length && mayBe();
}

/** More than an activator says before it ends, in bytes. */
export const mostSaid = 16_384;

/** Waits as long as the activator does, and closes the stream. Throws the reason if the container does not start. */
export async function untilAwake(stream: Duplex, say: (text: string) => void): Promise<void> {
  const timer = setTimeout(() => say(heldLine.slice(heldMark.length)), sayAfterMs);
  let text = "";
  let shown = 0;
  try {
    for await (const chunk of stream) {
      text += (chunk as Buffer).toString("latin1");
      const lines = text.split("\r\n").slice(0, -1);
      for (const line of lines.slice(shown)) {
        if (line === awakeLine) return;
        // The container's own sshd: it was awake.
        if (line.startsWith("SSH-2.0-") && line !== activatorGreeting) return;
        if (line.startsWith(heldMark) && line !== heldLine) say(line.slice(heldMark.length));
      }
      shown = lines.length;
      if (text.length > mostSaid) break;
    }
  } catch (error) {
    throw brokenOff(error as Error);
  } finally {
    clearTimeout(timer);
    stream.destroy();
  }
  const reason = reasonIn(text);
  if (reason !== undefined) throw new CliError(reason);
  throw new Lost("the connection was closed before sshd said anything; try again, or ask your platform team");
}

/**
 * The text of the activator's disconnect message, if one has come. Offsets after the greeting: 0 the packet's length, 4 the
 * padding's, 5 the message's number (1: disconnect), 6 a code, 10 the text's length, 14 the text.
 */
export function reasonIn(text: string): string | undefined {
  const at = text.indexOf(`${activatorGreeting}\r\n`);
  if (at < 0) return undefined;
  const bytes = Buffer.from(text.slice(at + activatorGreeting.length + 2), "latin1");
  if (bytes.length < 14 || bytes[5] !== 1) return undefined;
  return bytes.subarray(14, 14 + bytes.readUInt32BE(10)).toString();
}
