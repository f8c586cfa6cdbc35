import { type Buckets, clientNetwork, type Rate, type Turn } from "../authorizer/buckets.ts";
import type { AuthorizeRequest } from "./frps-protocol.ts";

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
