import { deletedAlone, type Manifest } from "@drawbridge-iac/manifests";
import * as k8s from "@pulumi/kubernetes";
import type * as pulumi from "@pulumi/pulumi";

type ResourceClass<R extends pulumi.Resource> = new (
  name: string,
  args: never,
  opts?: pulumi.CustomResourceOptions,
) => R;

/**
 * Registers a manifest as a resource of its own kind, as a child of a component.
 *
 * Pulumi notes a stack trace for each of the thirty or so promises of a resource and keeps them until it is registered.
 * They would tell only of Pulumi's and this library's own functions, and cost a quarter of the program's memory
 * (docs/bench.md), so none are taken here. Where a resource stands in the program, Pulumi finds out by itself.
 */
export function register<R extends pulumi.Resource>(
  kind: ResourceClass<R>,
  logicalName: string,
  manifest: Manifest,
  opts: pulumi.CustomResourceOptions,
): R {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return new kind(logicalName, deletedAlone(manifest) as never, opts);
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** Registers a custom resource, of a kind that @pulumi/kubernetes has no class for. */
export function registerCustom(
  logicalName: string,
  manifest: Manifest,
  opts: pulumi.CustomResourceOptions,
): k8s.apiextensions.CustomResource {
  return register(k8s.apiextensions.CustomResource, logicalName, manifest, opts);
}
