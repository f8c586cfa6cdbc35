import { createHash, randomBytes } from "node:crypto";
import { AUTONAMED, annotationOf } from "../kinds/annotations.ts";
import { mapOf, UNKNOWN, type ValueMap } from "../values/property.ts";

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
export function uniqueName(prefix: string, seed: Uint8Array): string {
  const digits =
    seed.length > 0
      ? createHash("sha256").update(seed).digest("hex").slice(0, 8)
      : randomBytes(4).toString("hex");
  return `${prefix}-${digits}`;
}
