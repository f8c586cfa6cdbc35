import { isIPv6 } from "node:net";
import type { AuthorizeRequest } from "./protocol.ts";

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

/** For whoever is told nothing else; a frpc logs in once, and all of them do when frps comes back. */
export const defaultLimits = {
  logins: { connectionsPerMinute: 300, burst: 300 },
  perClient: { connectionsPerMinute: 300, burst: 300 },
  perClientAndContainer: { connectionsPerMinute: 30, burst: 15 },
} as const satisfies Limits;

export const overLimit = "the address opens more connections than it may";
/** The same again, since nothing has passed in between: a flood must not fill the log as well. */
export const stillOverLimit = `${overLimit}, still`;

const maximumBuckets = 10_000;

/** The buckets of all addresses. Beyond 10,000 the longest unused is forgotten, and is full when it comes again. */
export class Buckets {
  readonly #buckets = new Map<string, { tokens: number; at: number; over: boolean }>();
  readonly #now: () => number;

  /** @param now in milliseconds */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Takes one token; says why there is none. */
  take(key: string, { connectionsPerMinute, burst }: Rate): string | undefined {
    const now = this.#now();
    const { tokens, at, over } = this.#buckets.get(key) ?? { tokens: burst, at: now, over: false };
    const filled = Math.min(burst, tokens + ((now - at) / 60_000) * connectionsPerMinute);
    const allowed = filled >= 1;
    this.#buckets.delete(key);
    this.#buckets.set(key, { tokens: allowed ? filled - 1 : filled, at: now, over: !allowed });
    if (this.#buckets.size > maximumBuckets) this.#buckets.delete(this.#buckets.keys().next().value ?? "");
    if (allowed) return undefined;
    return over ? stillOverLimit : overLimit;
  }
}

/** Why a request comes too soon after others of its address; undefined if it does not. */
export function limitFault(request: AuthorizeRequest, limits: Limits, buckets: Buckets): string | undefined {
  const { operation, client } = request;
  const address = clientNetwork(request.address);
  const take = (key: string, rate: Rate | undefined) =>
    rate === undefined ? undefined : buckets.take(`${operation} ${address} ${key}`, rate);
  if (operation === "Login") return take("", limits.logins);
  if (operation !== "NewUserConn") return undefined;
  // The stricter one first: what it refuses does not count in total.
  return take(client.user, limits.perClientAndContainer) ?? take("", limits.perClient);
}

/** The address of `address:port`; for IPv6 its network of 64 bits, since who has IPv6 has a whole one. */
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
