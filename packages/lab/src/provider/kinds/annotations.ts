import { mapOf, textOf, type ValueMap } from "../values/property.ts";

/** Marks a name that Pulumi chose. */
export const AUTONAMED = "pulumi.com/autonamed";
/** "true": do not wait for the object to become ready. */
export const SKIP_AWAIT = "pulumi.com/skipAwait";
/** Seconds to wait, unless the resource's customTimeouts say otherwise. */
export const TIMEOUT_SECONDS = "pulumi.com/timeoutSeconds";
/** What to wait for: `condition=…` or `jsonpath=…`, or a JSON list of those. */
export const WAIT_FOR = "pulumi.com/waitFor";
/** "true": take fields over from other field managers. */
export const PATCH_FORCE = "pulumi.com/patchForce";
/** Name of the field manager, instead of one per resource. */
export const PATCH_FIELD_MANAGER = "pulumi.com/patchFieldManager";
/** `foreground` (the default), `background` or `orphan`. */
export const DELETION_PROPAGATION = "pulumi.com/deletionPropagationPolicy";

export function annotationOf(object: ValueMap, name: string): string | undefined {
  return textOf(mapOf(mapOf(object.metadata).annotations)[name]);
}

export function isAnnotated(object: ValueMap, name: string): boolean {
  return annotationOf(object, name) === "true";
}

const DEFAULT_TIMEOUT_SECONDS = 600;

/** How long an operation may wait, in milliseconds: the resource's customTimeouts, its annotation, else ten minutes. */
export function timeoutOf(object: ValueMap, customSeconds: number): number {
  const annotated = Number(annotationOf(object, TIMEOUT_SECONDS));
  return (customSeconds || annotated || DEFAULT_TIMEOUT_SECONDS) * 1000;
}
