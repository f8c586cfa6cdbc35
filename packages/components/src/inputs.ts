import { isDeferred, type Placed } from "@drawbridge-iac/manifests";
import * as pulumi from "@pulumi/pulumi";

/** A placed value as the Pulumi Output it is, or a plain value made one. */
export function output<T>(value: Placed<T>): pulumi.Output<T> {
  return pulumi.output(value as pulumi.Input<T>) as unknown as pulumi.Output<T>;
}

/**
 * Text made from placed values. Plain values are rendered at once, so that faults come before anything is
 * registered; others when they are known.
 */
export function rendered<T, U>(values: readonly Placed<T>[], render: (values: T[]) => U): pulumi.Input<U> {
  if (!values.some(isDeferred)) return render(values as T[]);
  return pulumi.all(values.map((value) => output(value))).apply((known) => render(known as T[]));
}
