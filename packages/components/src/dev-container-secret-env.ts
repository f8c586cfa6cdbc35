import * as m from "@drawbridge-iac/manifests";
import * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import { settled } from "./inputs.ts";
import { register } from "./register.ts";

/** Registers the Secret of a container's secret variables, and tells the mark by which another value rolls the pod. */
export function registerSecretEnv(
  name: string,
  plan: m.DevContainerPlan,
  child: pulumi.CustomResourceOptions,
): { readonly needed: pulumi.Resource[]; readonly mark?: pulumi.Output<string> } {
  const all = m.secretEnvOf(plan);
  if (all === undefined) return { needed: [] };
  const values = pulumi.secret(settled(all));
  const key = plan.hostKey?.seed ?? plan.hostKey?.privateKey;
  const mark = settled({ place: plan.hostIdentity, values, key }).apply((known) =>
    m.secretEnvMark(known.place, known.values, known.key),
  );
  const secret = m.secretEnvSecret(plan, values);
  return {
    needed: [register(k8s.core.v1.Secret, `${name}-env`, secret, child)],
    mark: pulumi.unsecret(mark),
  };
}
