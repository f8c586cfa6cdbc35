import type * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import type { Input, Settled } from "../../kit/input.ts";
import { referenceVersion } from "../../kit/reference.ts";

/** The value as an Output. */
export function output<T>(value: Input<T>): pulumi.Output<T> {
  return pulumi.output(value) as pulumi.Output<T>;
}

/**
 * The reference by which others use a component. It holds what the plan knows, so that a preview knows it, and resolves
 * when the children exist that its users need. Addresses that the cluster gives are outputs of their own.
 */
export function refOf<T>(value: object, children: readonly pulumi.Resource[]): pulumi.Output<T> {
  const fields = Object.entries({ version: referenceVersion, ...value }).filter(
    ([, field]) => field !== undefined,
  );
  const ref = pulumi.output(Object.fromEntries(fields) as object) as pulumi.Output<unknown>;
  return afterAll(children, ref as pulumi.Output<T>);
}

/** The value, resolved when the objects exist. */
export function afterAll<T>(
  children: readonly (pulumi.Resource | undefined)[],
  value: pulumi.Output<T>,
): pulumi.Output<T> {
  const names = children.flatMap((child) => (child === undefined ? [] : [(child as Named).metadata.name]));
  return pulumi.all([pulumi.all(names), value]).apply(([, known]) => known) as pulumi.Output<T>;
}

/** A Kubernetes resource, whose name is known in a preview. */
interface Named extends pulumi.Resource {
  readonly metadata: pulumi.Output<{ readonly name: string }>;
}

/** The value as an Output, with everything in it resolved. */
export function settled<T>(value: T): pulumi.Output<Settled<T>> {
  return pulumi.output(value) as unknown as pulumi.Output<Settled<T>>;
}

/** The host name or address that a cluster gave to a Service of type LoadBalancer; undefined while it has none. */
export function loadBalancerAddress(service: k8s.core.v1.Service): pulumi.Output<string | undefined> {
  return service.status.loadBalancer.ingress.apply((given) => {
    const ingress: readonly { hostname?: string; ip?: string }[] | undefined = given;
    return ingress?.[0]?.hostname ?? ingress?.[0]?.ip;
  });
}
