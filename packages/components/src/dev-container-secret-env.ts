import * as m from "@drawbridge-iac/manifests";
import * as pulumi from "@pulumi/pulumi";
import { secretRecord, settled } from "./inputs.ts";

/** The values of a pod's secret variables, and the mark by which another value rolls it. */
export function secretVariables(plan: m.DevContainerPlan): m.ContainerSecrets["env"] {
  const all = m.secretEnvOf(plan);
  if (all === undefined) return undefined;
  const values = secretRecord(all);
  const key = plan.hostKey?.seed ?? plan.hostKey?.privateKey;
  const mark = settled({ place: plan.hostIdentity, values, key }).apply((known) =>
    m.secretEnvMark(known.place, known.values, known.key),
  );
  return { values, mark: pulumi.unsecret(mark) };
}
