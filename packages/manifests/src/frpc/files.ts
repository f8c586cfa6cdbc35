/** frpc's files: what it does, for everybody to see, and the token alone in a Secret. */
import { configMap, secret } from "../common/data.ts";
import type { Manifest } from "../common/manifest.ts";
import { type Placed, whenRecorded } from "../common/placed.ts";
import { type FrpcHost, type FrpcPlan, frpcNames, type KnownFrpcPlan } from "./plan.ts";
import { frpcCaFile, frpcFile, frpcTokenFile, frpcToml } from "./toml.ts";

export function frpcConfigMap(plan: FrpcHost, frpc: FrpcPlan): Manifest<"ConfigMap"> {
  // Without what is for clients, so that the file waits for nothing that it does not hold.
  const { connectPort: _, connectTls: __, ...names } = frpcNames(frpc);
  const { sshdAddress } = frpc;
  const toml = whenRecorded({ ...names, sshdAddress } as Record<string, Placed<unknown>>, (known) =>
    frpcToml({ ...frpc, ...known } as KnownFrpcPlan, plan.ssh.port, known.sshdAddress as string),
  );
  return configMap(frpc.configMap, plan, { [frpcFile]: toml, [frpcCaFile]: frpc.caBundle });
}

/** @param token secret */
export function frpcSecret(plan: FrpcHost, frpc: FrpcPlan, token: Placed<string>): Manifest<"Secret"> {
  return secret(frpc.secret, plan, { [frpcTokenFile]: token });
}
