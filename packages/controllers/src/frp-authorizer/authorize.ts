import { setTimeout as sleep } from "node:timers/promises";
import type { FrpGrant } from "@drawbridge-iac/drawbridge/src/host/frpc/contract";
import { type Identity, keyOf } from "../api-server.ts";
import type { Buckets } from "../authorizer/buckets.ts";
import type { FindGrant } from "../authorizer/grants.ts";
import { isTokenOf, parseUser } from "../authorizer/proof.ts";
import type { AuthorizeRequest } from "./frps-protocol.ts";
import { turnOf } from "./limits.ts";
import { proxyFault } from "./names.ts";
import type { Units } from "./units-file.ts";

/** Why a request is refused; undefined means that it is allowed. */
export type Refusal = string | undefined;

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
export async function authorize(request: AuthorizeRequest, knowledge: Knowledge): Promise<Refusal> {
  // Before any lookup, so that a flood of logins does not become a flood of requests to the API server.
  const turn = turnOf(request, knowledge.units().limits, knowledge.buckets);
  if (typeof turn === "string") return turn;
  if (turn > 0) await sleep(turn);
  // After the wait, in which the platform may have revoked it.
  const { domainSuffix, units } = knowledge.units();
  const identity = parseUser(request.client.user);
  if (identity === undefined) return "the user is not written <namespace>.<name>";
  const unit = units[keyOf(identity)];
  if (unit?.revoked === true) return "the container is revoked by the platform";
  const grant = await grantOf(identity, unit?.tokenSha256, knowledge.findGrant);
  if (grant === "failed") return "the container's grant cannot be looked up now; try again";
  if (grant === undefined || !isTokenOf(request.client.token, grant.tokenSha256)) return unknown;
  if (request.proxy === undefined) return undefined;
  return proxyFault(request.proxy, identity, {
    domainSuffix,
    reserved: unit?.domains ?? [],
    clientDomain: grant.clientDomain,
  });
}

async function grantOf(
  identity: Identity,
  tokenSha256: string | undefined,
  find: FindGrant<FrpGrant>,
): Promise<FrpGrant | undefined | "failed"> {
  if (tokenSha256 !== undefined) return { tokenSha256, clientDomain: undefined };
  try {
    return await find(identity);
  } catch {
    return "failed";
  }
}
