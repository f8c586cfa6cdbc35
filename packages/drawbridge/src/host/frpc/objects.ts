/** frpc's files: what it does, for everybody to see, and the token alone in a Secret; and what the authorizer may know of it. */

import { type Input, whenSettled } from "../../kit/input.ts";
import { configMap, secret } from "../../kubernetes/data.ts";
import { type Manifest, metadataOf } from "../../kubernetes/manifest.ts";
import { declared } from "../../kubernetes/objects.ts";
import { role, roleBinding, serviceAccountSubject } from "../../kubernetes/rbac.ts";
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
    ...(frpc.authorizer && grantObjects(plan, frpc, frpc.authorizer, secrets.tokenSha256)),
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

/**
 * What the authorizer may know of one container, in the container's own namespace: whoever may write there
 * decides on that namespace's names and on no others, and removing the container removes its grant.
 */
function grantObjects(
  plan: FrpcHost,
  { grant, customDomain }: FrpcPlan,
  { namespace, serviceAccountName }: NonNullable<FrpcPlan["authorizer"]>,
  tokenSha256: Input<string>,
) {
  const known = { tokenSha256, clientDomain: customDomain } satisfies Record<keyof FrpGrant, unknown>;
  const metadata = metadataOf(grant, plan);
  // This one ConfigMap and nothing else.
  const rule = { apiGroups: [""], resources: ["configmaps"], resourceNames: [grant], verbs: ["get"] };
  return {
    "frp-grant": declared(configMap(grant, plan, known)),
    "frp-grant-role": declared(role(metadata, [rule])),
    "frp-grant-binding": declared(
      roleBinding(metadata, [serviceAccountSubject(serviceAccountName, namespace)]),
    ),
  };
}
