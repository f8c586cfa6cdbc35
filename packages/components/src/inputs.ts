import type { Placed, Settled } from "@drawbridge-iac/manifests";
import * as pulumi from "@pulumi/pulumi";

/** A placed value as the Pulumi Output it is, or a plain value made one. */
export function output<T>(value: Placed<T>): pulumi.Output<T> {
  return pulumi.output(value as pulumi.Input<T>) as unknown as pulumi.Output<T>;
}

/** A placed value as another component takes it. */
export const input = <T>(value: Placed<T>): pulumi.Input<T> => value as pulumi.Input<T>;

/** `value` when everything in it is known. */
export function settled<T>(value: T): pulumi.Output<Settled<T>> {
  return pulumi.output(value) as unknown as pulumi.Output<Settled<T>>;
}
