import type { KubeObject } from "../kubernetes/object.ts";
import { hasUnknown, mapOf, reveal, type ValueMap } from "../values/property.ts";
import { keepSecrets } from "../values/secrets.ts";

/** The object to send, out of inputs in which everything is known. */
export function manifestOf(inputs: ValueMap): KubeObject {
  if (hasUnknown(inputs))
    throw new Error("internal error: a value that is not known yet cannot be sent to the API server.");
  return reveal(inputs) as KubeObject;
}

/** What the state remembers besides the live object. The names are the official provider's, so either reads both. */
export interface Remembered {
  readonly inputs: ValueMap;
  /** API version at creation. */
  readonly initialApiVersion: string;
  readonly fieldManager: string;
}

/** The outputs of a resource: its live object, its secrets marked as in the inputs, and what has to be remembered. */
export function outputsOf(
  live: KubeObject,
  { inputs, initialApiVersion, fieldManager }: Remembered,
): ValueMap {
  return {
    ...keepSecrets(live as ValueMap, inputs),
    __inputs: keepSecrets(reveal(inputs) as ValueMap, inputs),
    __initialApiVersion: initialApiVersion,
    __fieldManager: fieldManager,
  };
}

/** The opposite of {@link outputsOf}. Fields that an older state lacks are empty. */
export function readOutputs(outputs: ValueMap): Remembered & { readonly live: ValueMap } {
  const { __inputs, __initialApiVersion, __fieldManager, ...live } = outputs;
  return {
    live,
    inputs: mapOf(__inputs),
    initialApiVersion: typeof __initialApiVersion === "string" ? __initialApiVersion : "",
    fieldManager: typeof __fieldManager === "string" ? __fieldManager : "",
  };
}
