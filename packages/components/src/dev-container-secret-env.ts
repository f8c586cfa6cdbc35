import {
  type ContainerSecrets,
  type DevContainerPlan,
  secretEnvMark,
  secretEnvOf,
} from "@drawbridge-iac/manifests";
import * as pulumi from "@pulumi/pulumi";
import { secretRecord, settled } from "./inputs.ts";

/** Values of a pod's secret environment variables, and a mark of them that restarts the pod when one changes. */
export function secretVariables(plan: DevContainerPlan): ContainerSecrets["env"] {
  const all = secretEnvOf(plan);
  if (all === undefined) return undefined;
  const values = secretRecord(all);
  const key = plan.hostKey?.seed ?? plan.hostKey?.privateKey;
  const mark = settled({ place: plan.hostIdentity, values, key }).apply((known) =>
    secretEnvMark(known.place, known.values, known.key),
  );
  return { values, mark: pulumi.unsecret(mark) };
}
