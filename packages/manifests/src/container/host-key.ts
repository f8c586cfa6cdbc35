import type { Manifest } from "../common/manifest.ts";
import type { Placed } from "../common/placed.ts";
import type { DevContainerPlan } from "./plan.ts";
import { hostKeyFile } from "./sshd-config.ts";

/** @param privateKey secret: the text of the private host key */
export function hostKeySecret(plan: DevContainerPlan, privateKey: Placed<string>): Manifest {
  return {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: plan.names.hostKey, namespace: plan.namespace, labels: plan.labels },
    type: "Opaque",
    stringData: { [hostKeyFile]: privateKey },
  };
}
