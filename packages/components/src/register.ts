import type { Manifest } from "@drawbridge-iac/manifests";
import * as k8s from "@pulumi/kubernetes";
import type * as pulumi from "@pulumi/pulumi";

type ResourceClass<R extends pulumi.Resource> = new (
  name: string,
  args: never,
  opts?: pulumi.CustomResourceOptions,
) => R;

/** Registers a manifest as a resource of its own kind, as a child of a component. */
export function register<R extends pulumi.Resource>(
  kind: ResourceClass<R>,
  logicalName: string,
  manifest: Manifest,
  opts: pulumi.CustomResourceOptions,
): R {
  return new kind(logicalName, manifest as never, opts);
}

/** Registers a custom resource, of a kind that @pulumi/kubernetes has no class for. */
export function registerCustom(
  logicalName: string,
  manifest: Manifest,
  opts: pulumi.CustomResourceOptions,
): k8s.apiextensions.CustomResource {
  return new k8s.apiextensions.CustomResource(logicalName, manifest as never, opts);
}
