/** Containers by their objects alone: for the cluster's own programs it makes no difference that nothing runs. */
import { runtime } from "@pulumi/pulumi";
import { simulatedTaint } from "../../support/lab/simulated-nodes.ts";
import { placeholder, team } from "../preview/job.ts";
import type { Template } from "../preview/raw.ts";
import type { KubeObject } from "../support/api.ts";
import { teamSize } from "../support/teams.ts";

export const nameOf = (index: number) => `dev-${String(index).padStart(5, "0")}`;
export const teamOf = (index: number) => `bench-cluster-${Math.floor(index / teamSize)}`;

interface Workload extends KubeObject {
  readonly spec: {
    readonly template: { readonly spec: { readonly volumes: readonly { readonly name: string }[] } };
  };
}

/**
 * One container's objects as a template of the bench has them.
 * @param template JSON of a `Template`
 */
export function objectsOf(template: string, index: number): KubeObject[] {
  const text = template.replaceAll(placeholder, nameOf(index)).replaceAll(team, teamOf(index));
  const { objects } = JSON.parse(text, plain) as Template;
  return objects.map(({ object }) => {
    const made = object as KubeObject;
    return made.kind === "StatefulSet" ? onSimulatedNodes(made as Workload) : made;
  });
}

/** What Pulumi has wrapped as a secret is itself here. */
function plain(_key: string, value: unknown): unknown {
  const wrapped = value as Record<string, unknown> | null;
  return wrapped?.[runtime.specialSigKey] === runtime.specialSecretSig ? wrapped.value : value;
}

/** Nobody makes volumes for a node that is not there, so the pod has its home in memory; the claim stays. */
function onSimulatedNodes(workload: Workload): KubeObject {
  const pod = workload.spec.template.spec;
  const spec = {
    ...pod,
    nodeSelector: { [simulatedTaint.key]: simulatedTaint.value },
    tolerations: [{ key: simulatedTaint.key, operator: "Exists" }],
    volumes: pod.volumes.map((volume) =>
      "persistentVolumeClaim" in volume ? { name: volume.name, emptyDir: {} } : volume,
    ),
  };
  const template = { ...workload.spec.template, spec };
  return { ...workload, spec: { ...workload.spec, template } } as KubeObject;
}
