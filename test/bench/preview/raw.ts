/** The same containers as plain resources of @pulumi/kubernetes. */
import { readFileSync } from "node:fs";
import * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import { type Job, namesOf, placeholder } from "./job.ts";

/** What one container comes to: its objects in the order in which they are registered, and its client's files. */
export interface Template {
  readonly objects: readonly { readonly type: string; readonly suffix: string; readonly object: object }[];
  readonly sshConfig: string;
  readonly knownHosts: string;
}

type ResourceClass = new (name: string, args: never, opts: pulumi.CustomResourceOptions) => pulumi.Resource;

const kinds: Readonly<Record<string, ResourceClass>> = {
  "kubernetes:core/v1:PersistentVolumeClaim": k8s.core.v1.PersistentVolumeClaim,
  "kubernetes:core/v1:ConfigMap": k8s.core.v1.ConfigMap,
  "kubernetes:core/v1:Secret": k8s.core.v1.Secret,
  "kubernetes:core/v1:Service": k8s.core.v1.Service,
  "kubernetes:networking.k8s.io/v1:NetworkPolicy": k8s.networking.v1.NetworkPolicy,
  "kubernetes:policy/v1:PodDisruptionBudget": k8s.policy.v1.PodDisruptionBudget,
  "kubernetes:networking.istio.io/v1:VirtualService": k8s.apiextensions.CustomResource as ResourceClass,
  "kubernetes:apps/v1:StatefulSet": k8s.apps.v1.StatefulSet,
};

/** Anyone who writes plain resources orders them, hides the key and keeps the home as well. */
function containerObjects({ objects }: Template, name: string, shared: pulumi.CustomResourceOptions): void {
  const made: pulumi.Resource[] = [];
  for (const { type, suffix, object } of objects) {
    const kind = kinds[type];
    if (kind === undefined) throw new Error(`the bench has no class for ${type}; add it to raw.ts`);
    const args = type.endsWith(":Secret") ? { ...object, data: hidden(object) } : object;
    const kept = type.endsWith(":PersistentVolumeClaim") ? { retainOnDelete: true } : {};
    const ordered = type.endsWith(":StatefulSet") ? { dependsOn: made } : {};
    made.push(new kind(`${name}-${suffix}`, args as never, { ...shared, ...kept, ...ordered }));
  }
}

const hidden = (object: object) => pulumi.secret((object as { data: object }).data);

export function program(job: Job, provider?: k8s.Provider) {
  const text = readFileSync(job.template, "utf8");
  const shared = provider === undefined ? {} : { provider };
  const templates = namesOf(job).map((name) => {
    const own: Template = JSON.parse(text.replaceAll(placeholder, name));
    containerObjects(own, name, shared);
    return own;
  });
  return {
    sshConfig: templates.map(({ sshConfig }) => sshConfig),
    knownHosts: templates.map(({ knownHosts }) => knownHosts),
  };
}
