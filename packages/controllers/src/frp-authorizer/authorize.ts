import { setTimeout as sleep } from "node:timers/promises";
import type { FrpGrant } from "@drawbridge-iac/drawbridge/src/host/frpc/contract";
import { type Identity, keyOf } from "../api-server.ts";
import type { Buckets } from "../authorizer/buckets.ts";
import type { FindGrant } from "../authorizer/grants.ts";
import { parseUser, provenGrant } from "../authorizer/proof.ts";
import type { AuthorizeRequest } from "./frps-protocol.ts";
import { turnOf } from "./limits.ts";
import { proxyFault } from "./names.ts";
import type { Units } from "./units-file.ts";

/** What becomes of a request. */
export interface Verdict {
  /** Who it is, once that is proven. */
  readonly identity?: Identity;
  /** Why it is refused; undefined means that it is allowed. */
  readonly reason?: string | undefined;
}

/** Whom the authorizer may ask. */
export interface Knowledge {
  readonly units: () => Units;
  readonly findGrant: FindGrant<FrpGrant>;
  /** What each address has opened lately. */
  readonly buckets: Buckets;
}

// One answer for an unknown container and for a wrong token, so that nobody learns which containers there are.
const unknown = "the user is unknown or its token is wrong";

/**
 * Decides on one request. Of earlier requests only their number is remembered: each one carries the token of its frpc,
 * so a token that is revoked while frpc is connected is refused at its next ping and its next ssh client.
 */
export async function authorize(request: AuthorizeRequest, knowledge: Knowledge): Promise<Verdict> {
  // Before any lookup, so that a flood of logins does not become a flood of requests to the API server.
  const turn = turnOf(request, knowledge.units().limits, knowledge.buckets);
  if (typeof turn === "string") return { reason: turn };
  if (turn > 0) await sleep(turn);
  // After the wait, in which the platform may have revoked it.
  const { domainSuffix, units } = knowledge.units();
  const identity = parseUser(request.client.user);
  if (identity === undefined) return { reason: "the user is not written <namespace>.<name>" };
  const unit = units[keyOf(identity)];
  if (unit?.revoked === true) return { reason: "the container is revoked by the platform" };
  const { tokenSha256 } = unit ?? {};
  const find = tokenSha256 === undefined ? knowledge.findGrant : async () => ({ tokenSha256 });
  const grant = await provenGrant<FrpGrant>(identity, request.client.token, find);
  if (grant === "failed") return { reason: "the container's grant cannot be looked up now; try again" };
  if (grant === "unknown") return { reason: unknown };
  if (request.proxy === undefined) return { identity };
  const { clientDomain } = grant;
  const names = { domainSuffix, reserved: unit?.domains ?? [], clientDomain };
  return { identity, reason: proxyFault(request.proxy, identity, names) };
}
