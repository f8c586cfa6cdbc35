import { createHash, randomBytes } from "node:crypto";
import type { KubeObject, ObjectRef } from "../../kube/object.ts";
import { AUTONAMED, annotationOf } from "../kinds/annotations.ts";
import { CREATE_MANAGER } from "../kinds/field-managers.ts";
import { hasUnknown, keepSecrets, mapOf, reveal, UNKNOWN, type ValueMap } from "../values/property.ts";

/** What the stack's configuration says about names that the program leaves out. */
export interface Autonaming {
  readonly mode: "propose" | "disable";
  readonly proposedName: string;
}

export interface NamingRequest {
  /** Name of the Pulumi resource. */
  readonly resourceName: string;
  /** Same seed, same name: a name decided in the preview is the one of the update. Empty means random. */
  readonly seed: Uint8Array;
  readonly autonaming: Autonaming | undefined;
}

/** Gives inputs without a name the one they had, or a new one: the resource's name and eight hexadecimal digits. */
export function withName(inputs: ValueMap, olds: ValueMap, request: NamingRequest): ValueMap {
  if (inputs.metadata === UNKNOWN) return inputs;
  const metadata = mapOf(inputs.metadata);
  if (metadata.name) return inputs;
  if (metadata.generateName) {
    throw new Error(
      "metadata.generateName does not work with server-side apply. Set metadata.name, or leave both out.",
    );
  }
  const had = annotationOf(olds, AUTONAMED) === "true" ? mapOf(olds.metadata).name : undefined;
  const annotations = metadata.annotations;
  return {
    ...inputs,
    metadata: {
      ...metadata,
      name: had ?? newName(request),
      // There is no room for an annotation in annotations that are not known yet.
      annotations: annotations === UNKNOWN ? UNKNOWN : { ...mapOf(annotations), [AUTONAMED]: "true" },
    },
  };
}

function newName({ resourceName, seed, autonaming }: NamingRequest): string {
  if (autonaming?.mode === "disable") {
    throw new Error("the stack's configuration disables automatic names. Set metadata.name.");
  }
  return autonaming?.proposedName || uniqueName(resourceName, seed);
}

/** `prefix-` and eight hexadecimal digits, decided by the seed. */
function uniqueName(prefix: string, seed: Uint8Array): string {
  const digits =
    seed.length > 0
      ? createHash("sha256").update(seed).digest("hex").slice(0, 8)
      : randomBytes(4).toString("hex");
  return `${prefix}-${digits}`;
}

/** From inputs to the object that is sent, and from the answer to what the state keeps. */

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
export function outputsOf(live: KubeObject, { inputs, ...rest }: Remembered): ValueMap {
  return {
    ...keepSecrets(live as ValueMap, inputs),
    __inputs: keepSecrets(reveal(inputs) as ValueMap, inputs),
    __initialApiVersion: rest.initialApiVersion,
    __fieldManager: rest.fieldManager,
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

/** A field manager of one resource's own. */
export function newFieldManager(): string {
  return uniqueName(CREATE_MANAGER, new Uint8Array());
}

/** The Pulumi id of an object: `namespace/name`, or the name alone. */
export function idOf({ namespace, name }: Pick<ObjectRef, "name" | "namespace">): string {
  return namespace ? `${namespace}/${name}` : name;
}

/** The opposite of {@link idOf}. */
export function parseId(id: string): { name: string; namespace?: string } {
  const parts = id.split("/");
  if (parts.length > 2 || parts.includes("")) {
    throw new Error(
      `"${id}" is no id of a Kubernetes object. Write "<namespace>/<name>", or "<name>" for a cluster-scoped one.`,
    );
  }
  return parts.length === 2 ? { namespace: parts[0]!, name: parts[1]! } : { name: parts[0]! };
}

/** The object is there, but did not become what it was waited for: the engine keeps it in the state and tries again. */
export class InitFailedError extends Error {
  readonly id: string;
  readonly outputs: ValueMap;
  readonly reasons: readonly string[];

  /** @param details what else there is to say, each a reason of its own */
  constructor(message: string, id: string, outputs: ValueMap, details: readonly string[]) {
    super(message);
    this.name = "InitFailedError";
    this.id = id;
    this.outputs = outputs;
    this.reasons = [message, ...details];
  }
}
