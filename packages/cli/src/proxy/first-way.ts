/** Opens the first of several ways to a container that leads to it. */
import type { Duplex } from "node:stream";
import { CliError, ExitCode, isExpected, WayError } from "../faults.ts";
import { openTunnel } from "./dial.ts";
import { readGateway, type TlsOptions, type Via } from "./via.ts";

interface Destination {
  readonly host: string;
  readonly port: number;
  readonly user: string | undefined;
  readonly ownSshd: boolean;
  readonly tls: TlsOptions;
  /** Gets each step, for `--verbose`. */
  readonly tell: (step: string) => void;
  /** Gets what the user should know although a way opens. */
  readonly warn: (text: string) => void;
}

/** A way that leads to the container, or to who answers in its place. */
export interface OpenWay {
  readonly stream: Duplex;
  /** Goes the same way once more. */
  readonly again: () => Promise<Duplex>;
}

/** Tries the ways in their order. What failed is said when another way is taken, or when none is left. */
export async function firstWay(vias: readonly Via[], destination: Destination): Promise<OpenWay> {
  const faults: string[] = [];
  for (const via of vias) {
    try {
      const stream = await open(via, destination);
      faults.forEach(destination.warn);
      if (faults.length > 0) destination.warn(`going by ${via.text} instead`);
      return { stream, again: () => open(via, destination) };
    } catch (error) {
      if (!isExpected(error) || vias.length === 1) throw error;
      faults.push(`${via.text}: ${error.message}`);
    }
  }
  throw new CliError(`no way in is open\n  ${faults.join("\n  ")}`);
}

async function open(via: Via, destination: Destination): Promise<Duplex> {
  const { host, port, user, tell, warn } = destination;
  if (via.kind === "connect") {
    const gateway = await readGateway(via, destination.tls);
    return inTurn(
      () => openTunnel(gateway, via.name ?? host, port),
      (why) => warn(`${via.text}: ${why}`),
    );
  }
  const { connectOwnSshd, connectSshpod } = await import("../sshpod/connect.ts");
  const isByName = via.text.toLowerCase() === host.toLowerCase();
  if (destination.ownSshd) return connectOwnSshd({ target: via.target, isByName, port, tell });
  if (!user) throw new CliError("--user is missing; give the user, as in --user %r", ExitCode.usage);
  return connectSshpod({ target: via.target, isByName, host, port, user, tell });
}

const tooManyRequests = 429;
const retryForMs = 30_000;
const shortestPauseMs = 500;
const longestPauseMs = 4000;

/** Where time, in milliseconds, and chance come from. */
interface Clock {
  now(): number;
  random(): number;
  sleep(milliseconds: number): Promise<void>;
}

const systemClock: Clock = {
  now: () => performance.now(),
  random: Math.random,
  sleep: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
};

/**
 * Opens something, and tries again as long as the answer is 429. The pauses become longer and are random, so that
 * clients that began together do not try again together.
 * @param tell gets, once, the reason why it takes so long
 */
export async function inTurn<T>(
  open: () => Promise<T>,
  tell: (text: string) => void,
  clock: Partial<Clock> = {},
): Promise<T> {
  const { now, random, sleep } = { ...systemClock, ...clock };
  const until = now() + retryForMs;
  for (let pause = shortestPauseMs; ; pause = Math.min(longestPauseMs, 2 * pause)) {
    try {
      return await open();
    } catch (error) {
      const left = until - now();
      if (!(error instanceof WayError) || error.status !== tooManyRequests || left <= 0) throw error;
      if (pause === shortestPauseMs) tell(`${error.message}; trying again for up to ${retryForMs / 1000} s`);
      await sleep(Math.min(left, pause * (0.5 + random() / 2)));
    }
  }
}
