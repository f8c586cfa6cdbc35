/** Whether a container may go where it wants, and by which address. */
import { isIPv4 } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import {
  allowsHost,
  type EgressGrant,
  hostToDeclare,
} from "@drawbridge-iac/drawbridge/src/host/egress/contract";
import { type Identity, keyOf } from "../api-server.ts";
import { type Buckets, clientNetwork, stillOverLimit } from "../authorizer/buckets.ts";
import type { FindGrant } from "../authorizer/grants.ts";
import { parseUser, provenGrant } from "../authorizer/proof.ts";
import type { ResolveHost } from "./resolve.ts";
import { credentialsOf, type ProxyRequest, type Target, targetOf } from "./target.ts";

/** Whom the authorizer may ask. */
export interface Knowledge {
  readonly findGrant: FindGrant<EgressGrant>;
  /** The addresses of a pod. */
  readonly findAddresses: FindGrant<readonly string[]>;
  readonly resolve: ResolveHost;
  readonly isPublic: (address: string) => boolean;
  readonly buckets: Buckets;
}

/** A way that is open: the container, what it asked for, and the one address that was looked at. */
export interface Allowed {
  readonly identity: Identity;
  readonly target: Target;
  /** The hash of the token by which it was opened. */
  readonly tokenSha256: string;
  /** `address:port` */
  readonly destination: string;
}

export interface Refused {
  readonly status: 403 | 407 | 429 | 503;
  readonly reason: string;
  /** Who it is, once that is proven. */
  readonly identity?: Identity | undefined;
  /** Whether the same was said a moment ago, so that it is worth no line. */
  readonly isStill?: boolean;
}

export type Decision = Allowed | Refused;

/** For one address; a container opens some hundreds at once at most. */
const mostPerAddress = { connectionsPerMinute: 60_000, burst: 3_000 };

const unknown: Refused = {
  status: 407,
  reason: "the container is unknown or its token is wrong; use the proxy's address in HTTPS_PROXY",
};

export async function decide(request: ProxyRequest, knowledge: Knowledge): Promise<Decision> {
  const turn = knowledge.buckets.take(clientNetwork(request.source), mostPerAddress);
  if (typeof turn === "string") return { status: 429, reason: turn, isStill: turn === stillOverLimit };
  const credentials = credentialsOf(request.authorization);
  const identity = credentials && parseUser(credentials.user);
  if (identity === undefined) return unknown;
  const grant = await provenGrant(identity, credentials?.token ?? "", knowledge.findGrant);
  if (grant === "failed")
    return { status: 503, reason: "the container's hosts cannot be looked up now; try again" };
  if (grant === "unknown") return unknown;
  const refused = (reason: string, status: Refused["status"] = 403): Refused => ({
    status,
    reason,
    identity,
  });
  if (!(await isFrom(request.source, { ...identity, name: grant.podName }, knowledge)))
    return refused("the token is that of another pod; it opens nothing here", 407);
  const target = targetOf(request);
  if (typeof target === "string") return refused(target);
  const { host, port } = target;
  if (!allowsHost(grant.hosts, host, port)) {
    return refused(
      `${keyOf(identity)} may not reach ${host}:${port}; add "${hostToDeclare(host, port)}" to its egress.hosts`,
    );
  }
  const addresses = await knowledge.resolve(host, keyOf(identity)).catch(() => undefined);
  if (addresses === undefined) return refused(`${host} cannot be resolved now; try again`, 503);
  if (addresses.length === 0) return refused(`${host} has no address`);
  if (!addresses.every(knowledge.isPublic)) {
    return refused(
      `${host} has an address that is not the internet's; private networks are reached by egress.allow, without the proxy`,
    );
  }
  // The address that was looked at is the one that is dialled.
  const address = addresses.find(isIPv4) ?? `[${addresses[0]}]`;
  return { identity, target, tokenSha256: grant.tokenSha256, destination: `${address}:${port}` };
}

/** A pod that has just started is not in the API server's answer yet. */
const tries = 4;
const pauseMs = 800;

async function isFrom(
  source: string,
  pod: Identity,
  { findAddresses }: Pick<Knowledge, "findAddresses">,
): Promise<boolean> {
  for (let turn = 1; ; turn += 1) {
    const addresses = await findAddresses(pod).catch(() => undefined);
    if (addresses?.includes(source)) return true;
    if (turn === tries) return false;
    await sleep(pauseMs);
  }
}
