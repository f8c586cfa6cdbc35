import * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import { libraryVersion } from "../../kit/library-version.ts";
import { exposed } from "../../kit/secret-places.ts";
import { registryFault, withRegistry } from "../images.ts";
import type { Kind } from "../kinds.ts";
import type { Manifest } from "../manifest.ts";
import type { Declared, Objects } from "../objects.ts";

const { admissionregistration, apps, autoscaling, batch, core, discovery, networking, policy, rbac } = k8s;

/** Kinds with a class in @pulumi/kubernetes; all others are custom resources. */
const classes = {
  ConfigMap: core.v1.ConfigMap,
  LimitRange: core.v1.LimitRange,
  Namespace: core.v1.Namespace,
  PersistentVolumeClaim: core.v1.PersistentVolumeClaim,
  ResourceQuota: core.v1.ResourceQuota,
  Secret: core.v1.Secret,
  Service: core.v1.Service,
  ServiceAccount: core.v1.ServiceAccount,
  Deployment: apps.v1.Deployment,
  StatefulSet: apps.v1.StatefulSet,
  HorizontalPodAutoscaler: autoscaling.v2.HorizontalPodAutoscaler,
  Job: batch.v1.Job,
  EndpointSlice: discovery.v1.EndpointSlice,
  NetworkPolicy: networking.v1.NetworkPolicy,
  PodDisruptionBudget: policy.v1.PodDisruptionBudget,
  Role: rbac.v1.Role,
  RoleBinding: rbac.v1.RoleBinding,
  ClusterRole: rbac.v1.ClusterRole,
  ClusterRoleBinding: rbac.v1.ClusterRoleBinding,
  ValidatingAdmissionPolicy: admissionregistration.v1.ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding: admissionregistration.v1.ValidatingAdmissionPolicyBinding,
} satisfies { [K in Kind]?: ResourceClass<Manifest<K>> };

type ResourceOf<K extends Kind> = K extends keyof typeof classes
  ? InstanceType<(typeof classes)[K]>
  : k8s.apiextensions.CustomResource;

type ChildOf<O> = O extends Declared<infer K> ? ResourceOf<K> : undefined;

/** The objects as Pulumi resources, by the same keys; undefined for one that is not made. */
export type Children<O extends Objects> = { readonly [Key in keyof O]: ChildOf<O[Key]> };

type ResourceClass<Args> = new (
  name: string,
  args: Args,
  opts: pulumi.CustomResourceOptions,
) => pulumi.CustomResource;

/**
 * Registers a component's objects as its children, each as a resource of its own kind.
 * @param common options of all of them
 */
export function registerChildren<O extends Objects>(
  name: string,
  objects: O,
  common: pulumi.CustomResourceOptions,
): Children<O> {
  const made: Record<string, pulumi.CustomResource> = {};
  const { imageRegistry } = library();
  for (const [key, object] of Object.entries<Objects[string]>(objects)) {
    if (!object) continue;
    const { manifest, suffix = key, after = [], kept, ignoreChanges, createTimeoutSeconds } = object;
    const kind = (classes as Record<string, unknown>)[manifest.kind] ?? k8s.apiextensions.CustomResource;
    const own: pulumi.CustomResourceOptions = {
      dependsOn: after.flatMap((one) => made[one] ?? []),
      ...(kept && { retainOnDelete: true }),
      ...(ignoreChanges && { ignoreChanges: [...ignoreChanges] }),
      ...(createTimeoutSeconds && {
        // A program in Go leaves what it does not set empty.
        customTimeouts: {
          ...common.customTimeouts,
          create: common.customTimeouts?.create || `${createTimeoutSeconds}s`,
        },
      }),
    };
    made[key] = new (kind as ResourceClass<Manifest>)(
      `${name}-${suffix}`,
      imageRegistry === undefined ? manifest : withRegistry(manifest, imageRegistry),
      pulumi.mergeOptions(common, own),
    );
  }
  return made as Children<O>;
}

type Outputs<C> = {
  [Name in Exclude<keyof C, keyof pulumi.ComponentResource> as C[Name] extends pulumi.Output<unknown>
    ? Name
    : never]: C[Name];
};

/** Sets a component's outputs, and registers them with Pulumi. */
export function setOutputs<C extends pulumi.ComponentResource>(component: C, outputs: Outputs<C>): void {
  Object.assign(component, outputs);
  (component as unknown as { registerOutputs(outputs: pulumi.Inputs): void }).registerOutputs(outputs);
}

/** What makes a component's objects besides its arguments; its inputs carry it, so that the guard can make them again. */
export interface Library {
  readonly version: string;
  /** Where a stack's images come from that no argument names: one setting for all components, in every language. */
  readonly imageRegistry?: string;
}

/** Whether a key of the configuration is a secret, or holds one. It is missing in Pulumi's types. */
export const { isConfigSecret } = pulumi.runtime as unknown as { isConfigSecret(key: string): boolean };

export function library(): Library {
  const imageRegistry = new pulumi.Config("drawbridge").get("imageRegistry");
  if (imageRegistry === undefined) return { version: libraryVersion };
  if (isConfigSecret("drawbridge:imageRegistry"))
    throw new Error(`drawbridge:imageRegistry: ${exposed(["imageRegistry"]).message}`);
  const fault = registryFault(imageRegistry);
  if (fault !== undefined) throw new Error(`drawbridge:imageRegistry: ${fault}`);
  return { version: libraryVersion, imageRegistry };
}
