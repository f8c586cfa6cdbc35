/** frpc's files: what it does, for everybody to see, and the token alone in a Secret. */
import { compact, type Manifest } from "../common/manifest.ts";
import { type Placed, whenRecorded } from "../common/placed.ts";
import { secret } from "../common/secret.ts";
import { type FrpcHost, type FrpcPlan, frpcNames, type KnownFrpcPlan } from "./plan.ts";
import { frpcCaFile, frpcFile, frpcTokenFile, frpcToml } from "./toml.ts";

export function frpcConfigMap(plan: FrpcHost, frpc: FrpcPlan): Manifest<"ConfigMap"> {
  // Without what is for clients, so that the file waits for nothing that it does not hold.
  const { connectPort: _, connectTls: __, ...names } = frpcNames(frpc);
  const { sshdAddress } = frpc;
  const toml = whenRecorded({ ...names, sshdAddress } as Record<string, Placed<unknown>>, (known) =>
    frpcToml({ ...frpc, ...known } as KnownFrpcPlan, plan.ssh.port, known.sshdAddress as string),
  );
  return {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: frpc.configMap, namespace: plan.namespace, labels: plan.labels },
    data: compact({ [frpcFile]: toml, [frpcCaFile]: frpc.caBundle }),
  };
}

/** @param token secret */
export function frpcSecret(plan: FrpcHost, frpc: FrpcPlan, token: Placed<string>): Manifest<"Secret"> {
  const { namespace, labels } = plan;
  return secret({ name: frpc.secret, namespace, labels }, { [frpcTokenFile]: token });
}
