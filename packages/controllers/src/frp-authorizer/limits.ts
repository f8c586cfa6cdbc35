import { isIPv6 } from "node:net";
import { remember } from "../fairness.ts";
import type { AuthorizeRequest } from "./frps-protocol.ts";

/** A bucket that is full at first and refilled evenly. */
export interface Rate {
  readonly connectionsPerMinute: number;
  readonly burst: number;
}

/** How many connections one address may open; what is left out is not limited. */
export interface Limits {
  /** Logins of frpcs. */
  readonly logins?: Rate | undefined;
  /** ssh clients, to whichever container. */
  readonly perClient?: Rate | undefined;
  /** ssh clients, to one container. */
  readonly perClientAndContainer?: Rate | undefined;
}

/** For limits that the platform's file leaves out. A frpc logs in once; all of them log in when frps comes back. */
export const defaultLimits = {
  logins: { connectionsPerMinute: 300, burst: 300 },
  perClient: { connectionsPerMinute: 300, burst: 300 },
  perClientAndContainer: { connectionsPerMinute: 30, burst: 4 },
} as const satisfies Limits;

export const overLimit = "the address opens more connections than it may";
/** The same again, since nothing has passed in between: a flood must not fill the log as well. */
export const stillOverLimit = `${overLimit}, still`;

/** Milliseconds until a connection's turn, or why it has none. */
type Turn = number | string;

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

/** frps holds a client until it is answered, so one person's loop is slowed down; a flood exceeds this and is refused. */
const longestWaitMs = 60_000;

/** When a request's turn comes after others of its address, or why it does not. */
export function turnOf(request: AuthorizeRequest, limits: Limits, buckets: Buckets): Turn {
  const { operation, client } = request;
  const address = clientNetwork(request.address);
  const take = (key: string, rate: Rate | undefined, wait: number) =>
    rate === undefined ? 0 : buckets.take(`${operation} ${address} ${key}`, rate, wait);
  // A frpc never waits: it tries again by itself.
  // Stryker disable next-line StringLiteral: a key that is nobody's user name; which one does not matter
  if (operation === "Login") return take("", limits.logins, 0);
  if (operation !== "NewUserConn") return 0;
  // The stricter one first: what it refuses does not count in total.
  const own = take(client.user, limits.perClientAndContainer, longestWaitMs);
  if (typeof own === "string") return own;
  // Stryker disable next-line StringLiteral: the same
  const total = take("", limits.perClient, longestWaitMs);
  return typeof total === "string" ? total : Math.max(own, total);
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
