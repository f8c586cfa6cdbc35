import type { Manifest } from "../common/manifest.ts";
import type { Placed } from "../common/placed.ts";
import { secret } from "../common/secret.ts";
import type { FrpcPlan } from "./frpc-plan.ts";
import { frpcCaFile, frpcFile } from "./frpc-toml.ts";
import type { DevContainerPlan } from "./plan.ts";

/** @param toml secret: frpc.toml, which holds the token */
export function frpcSecret(plan: DevContainerPlan, frpc: FrpcPlan, toml: Placed<string>): Manifest<"Secret"> {
  const { namespace, labels } = plan;
  return secret({ name: frpc.secret, namespace, labels }, { [frpcFile]: toml, [frpcCaFile]: frpc.caBundle });
}
