import { compact, type Manifest } from "../common/manifest.ts";
import type { Placed } from "../common/placed.ts";
import type { FrpcPlan } from "./frpc-plan.ts";
import { frpcCaFile, frpcFile } from "./frpc-toml.ts";
import type { DevContainerPlan } from "./plan.ts";

/** @param toml secret: frpc.toml, which holds the token */
export function frpcSecret(plan: DevContainerPlan, frpc: FrpcPlan, toml: Placed<string>): Manifest<"Secret"> {
  return {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: frpc.secret, namespace: plan.namespace, labels: plan.labels },
    type: "Opaque",
    stringData: compact({ [frpcFile]: toml, [frpcCaFile]: frpc.caBundle }),
  };
}
