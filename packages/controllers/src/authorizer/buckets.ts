/** How much one address may ask for. */
import { isIPv6 } from "node:net";
import { remember } from "../fairness.ts";

/** A bucket that is full at first and refilled evenly. */
export interface Rate {
  readonly connectionsPerMinute: number;
  readonly burst: number;
}

export const overLimit = "the address opens more connections than it may";
/** The same again, since nothing has passed in between: a flood must not fill the log as well. */
export const stillOverLimit = `${overLimit}, still`;

/** Milliseconds until a connection's turn, or why it has none. */
export type Turn = number | string;

/** The buckets of all addresses. Of more than 10,000 the one unused for longest is forgotten: its address finds a full one. */
export class Buckets {
  readonly #buckets = new Map<string, { tokens: number; at: number; over: boolean }>();
  readonly #now: () => number;

  /** @param now in milliseconds */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /**
   * Takes one token. Returns the milliseconds until it is there, or why nobody waits for it.
   * @param maxWaitMs how long a connection may wait
   */
  take(key: string, { connectionsPerMinute, burst }: Rate, maxWaitMs = 0): Turn {
    const now = this.#now();
    const perMillisecond = connectionsPerMinute / 60_000;
    // Stryker disable next-line BooleanLiteral: the first token of a new bucket is there, so nothing is said of it
    const { tokens, at, over } = this.#buckets.get(key) ?? { tokens: burst, at: now, over: false };
    const filled = Math.min(burst, tokens + (now - at) * perMillisecond);
    const wait = Math.max(0, (1 - filled) / perMillisecond);
    const allowed = wait <= maxWaitMs;
    remember(this.#buckets, key, { tokens: allowed ? filled - 1 : filled, at: now, over: !allowed });
    if (allowed) return wait;
    return over ? stillOverLimit : overLimit;
  }
}

/** The address of `address:port`; for IPv6 its network of 64 bits, since everybody with IPv6 has a whole one. */
export function clientNetwork(address: string): string {
  const host = /^\[?(.*?)\]?(?::\d+)?$/.exec(address)?.[1] ?? "";
  const mapped = /^::ffff:([\d.]+)$/i.exec(host)?.[1];
  if (mapped !== undefined) return mapped;
  if (!isIPv6(host)) return host;
  const [head, tail] = host.split("::") as [string, string?];
  const groups = (text: string) => (text === "" ? [] : text.split(":"));
  const filling = Array(8 - groups(head).length - groups(tail ?? "").length).fill("0");
  const all = tail === undefined ? groups(head) : [...groups(head), ...filling, ...groups(tail)];
  return `${all
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(":")}::/64`;
}
