/** frpc's files: what it does, for everybody to see, and the token alone in a Secret. */
import { compact, type Manifest } from "../common/manifest.ts";
import type { Placed } from "../common/placed.ts";
import type { FrpcPlan } from "./frpc-plan.ts";
import { frpcCaFile, frpcFile, frpcTokenFile } from "./frpc-toml.ts";
import type { DevContainerPlan } from "./plan.ts";

const metadata = (plan: DevContainerPlan, name: string) => ({
  name,
  namespace: plan.namespace,
  labels: plan.labels,
});

/** @param toml frpc.toml */
export function frpcConfigMap(plan: DevContainerPlan, frpc: FrpcPlan, toml: Placed<string>): Manifest {
  return {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: metadata(plan, frpc.configMap),
    data: compact({ [frpcFile]: toml, [frpcCaFile]: frpc.caBundle }),
  };
}

/** @param token secret */
export function frpcSecret(plan: DevContainerPlan, frpc: FrpcPlan, token: Placed<string>): Manifest {
  return {
    apiVersion: "v1",
    kind: "Secret",
    metadata: metadata(plan, frpc.secret),
    type: "Opaque",
    stringData: { [frpcTokenFile]: token },
  };
}
