/**
 * What stands for a component with faults, so that its program runs on and all of its faulty components are reported in
 * one run. Nothing of it is registered, nor anything that uses it.
 */
import * as pulumi from "@pulumi/pulumi";

/** Makes a stand-in of a component's class. */
export type StandIn = <T extends object>(of: new (...args: never) => T) => T;

/** @param error what the run ends with, and each use of an output */
export function standIn(
  token: string,
  name: string,
  opts: pulumi.ComponentResourceOptions | undefined,
  error: Error,
): StandIn {
  return (of) => {
    // Pulumi reports each rejection that is not handled, and one error once.
    const failed = Promise.reject<never>(error);
    const resource = new pulumi.ComponentResource(token, name, {}, { ...opts, dependsOn: failed });
    const output = pulumi.output(failed);
    return new Proxy(Object.setPrototypeOf(Object.assign(resource, { urn: output }), of.prototype), {
      get: (target, key, self) =>
        key in target || typeof key === "symbol" || key.startsWith("__") || key === "then"
          ? Reflect.get(target, key, self)
          : output,
    });
  };
}
