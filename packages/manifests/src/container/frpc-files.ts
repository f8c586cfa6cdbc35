/** frpc's files: what it does, for everybody to see, and the token alone in a Secret. */
import { compact, type Manifest } from "../common/manifest.ts";
import { type Placed, whenRecorded } from "../common/placed.ts";
import { type FrpcPlan, frpcNames, type KnownFrpcPlan } from "./frpc-plan.ts";
import { frpcCaFile, frpcFile, frpcTokenFile, frpcToml } from "./frpc-toml.ts";
import type { DevContainerPlan } from "./plan.ts";

const metadata = (plan: DevContainerPlan, name: string) => ({
  name,
  namespace: plan.namespace,
  labels: plan.labels,
});

export function frpcConfigMap(plan: DevContainerPlan, frpc: FrpcPlan): Manifest<"ConfigMap"> {
  const toml = whenRecorded(frpcNames(frpc) as Record<string, Placed<unknown>>, (names) =>
    frpcToml({ ...frpc, ...names } as KnownFrpcPlan, plan.ssh.port),
  );
  return {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: metadata(plan, frpc.configMap),
    data: compact({ [frpcFile]: toml, [frpcCaFile]: frpc.caBundle }),
  };
}

/** @param token secret */
export function frpcSecret(
  plan: DevContainerPlan,
  frpc: FrpcPlan,
  token: Placed<string>,
): Manifest<"Secret"> {
  return {
    apiVersion: "v1",
    kind: "Secret",
    metadata: metadata(plan, frpc.secret),
    type: "Opaque",
    stringData: { [frpcTokenFile]: token },
  };
}
