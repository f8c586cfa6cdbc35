/** frpc's files: what it does, for everybody to see, and the token alone in a Secret; and what the authorizer may know of it. */

import { type Input, whenSettled } from "../../kit/input.ts";
import { configMap, secret } from "../../kubernetes/data.ts";
import type { Manifest } from "../../kubernetes/manifest.ts";
import { declared } from "../../kubernetes/objects.ts";
import { grantObjects } from "../grant.ts";
import type { FrpGrant } from "./contract.ts";
import { type FrpcHost, type FrpcPlan, frpcNames } from "./plan.ts";
import { frpcCaFile, frpcFile, frpcTokenFile, frpcToml } from "./toml.ts";

/** What a frpc proves itself with. */
export interface FrpcSecrets {
  /** Secret. */
  readonly token: Input<string>;
  /** Lets nobody in. */
  readonly tokenSha256: Input<string>;
}

export function frpcObjects(plan: FrpcHost, secrets: FrpcSecrets | undefined) {
  const { frpc } = plan;
  if (frpc === undefined || secrets === undefined) return undefined;
  return {
    frpc: declared(frpcConfigMap(plan, frpc)),
    "frp-token": declared(secret(frpc.secret, plan, { [frpcTokenFile]: secrets.token })),
    ...(frpc.authorizer && frpGrantObjects(plan, frpc, frpc.authorizer, secrets.tokenSha256)),
  };
}

export function frpcConfigMap(plan: FrpcHost, frpc: FrpcPlan): Manifest<"ConfigMap"> {
  // Without what is for clients, so that the file waits for nothing that it does not hold.
  const { connectPort: _, connectTls: __, ...names } = frpcNames(frpc);
  const { sshdAddress } = frpc;
  const toml = whenSettled({ names, sshdAddress, port: plan.ssh.port }, ({ names, sshdAddress, port }) =>
    frpcToml({ ...frpc, ...names }, port, sshdAddress),
  );
  return configMap(frpc.configMap, plan, { [frpcFile]: toml, [frpcCaFile]: frpc.caBundle });
}

function frpGrantObjects(
  plan: FrpcHost,
  { grant: name, customDomain }: FrpcPlan,
  { namespace, serviceAccountName }: NonNullable<FrpcPlan["authorizer"]>,
  tokenSha256: Input<string>,
) {
  const data = { tokenSha256, clientDomain: customDomain } satisfies Record<keyof FrpGrant, unknown>;
  const authorizer = { name: serviceAccountName, namespace };
  const { grant, role, binding } = grantObjects(plan, { name, data, verbs: ["get"], authorizer });
  return { "frp-grant": grant, "frp-grant-role": role, "frp-grant-binding": binding };
}
