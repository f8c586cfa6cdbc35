import {
  type ContainerSecrets,
  type DevContainerPlan,
  secretEnvMark,
  secretEnvOf,
} from "@drawbridge-iac/manifests";
import * as pulumi from "@pulumi/pulumi";
import { secretRecord, settled } from "./inputs.ts";

/** The values of a pod's secret variables, and the mark by which another value rolls it. */
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
