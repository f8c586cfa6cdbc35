import { declared } from "../common/objects.ts";
import type { Placed } from "../common/placed.ts";
import { frpcConfigMap, frpcSecret } from "./files.ts";
import { frpGrant, frpGrantBinding, frpGrantRole } from "./grant.ts";
import type { FrpcHost } from "./plan.ts";

/** What a frpc proves itself with. */
export interface FrpcSecrets {
  readonly token: Placed<string>;
  readonly tokenSha256: Placed<string>;
}

/** A frpc's files, and what the authorizer may know of it. */
export function frpcObjects(plan: FrpcHost, secrets: FrpcSecrets | undefined) {
  const { frpc } = plan;
  if (frpc === undefined || secrets === undefined) return undefined;
  const { authorizer } = frpc;
  return {
    frpc: declared(frpcConfigMap(plan, frpc)),
    "frp-token": declared(frpcSecret(plan, frpc, secrets.token)),
    ...(authorizer && {
      "frp-grant": declared(frpGrant(plan, frpc, secrets.tokenSha256)),
      "frp-grant-role": declared(frpGrantRole(plan, frpc)),
      "frp-grant-binding": declared(frpGrantBinding(plan, frpc, authorizer)),
    }),
  };
}
