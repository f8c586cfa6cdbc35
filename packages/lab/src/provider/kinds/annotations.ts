import { mapOf, textOf, type ValueMap } from "../values/property.ts";

/** Marks a name that Pulumi chose. */
export const AUTONAMED = "pulumi.com/autonamed";
/** "true": do not wait for the object to become ready. */
export const SKIP_AWAIT = "pulumi.com/skipAwait";
/** "true": take fields over from other field managers. */
export const PATCH_FORCE = "pulumi.com/patchForce";
/** Seconds to wait, unless the resource's customTimeouts say otherwise. */
const TIMEOUT_SECONDS = "pulumi.com/timeoutSeconds";

/** How what belongs to a deleted object ends: "background", "orphan", else before it ("foreground"). */
const DELETION_PROPAGATION = "pulumi.com/deletionPropagationPolicy";

/** The official provider's annotations that nobody here uses: they are refused, so that none is ignored in silence. */
export const UNSUPPORTED = ["waitFor", "patchFieldManager", "replaceUnready"].map(
  (name) => `pulumi.com/${name}`,
);

export function annotationOf(object: ValueMap, name: string): string | undefined {
  return textOf(mapOf(mapOf(object.metadata).annotations)[name]);
}

export function isAnnotated(object: ValueMap, name: string): boolean {
  return annotationOf(object, name) === "true";
}

export function propagationOf(object: ValueMap): "Background" | "Foreground" | "Orphan" {
  const policy = annotationOf(object, DELETION_PROPAGATION)?.toLowerCase();
  return policy === "background" ? "Background" : policy === "orphan" ? "Orphan" : "Foreground";
}

const DEFAULT_TIMEOUT_SECONDS = 600;

/** How long an operation may wait, in milliseconds: the resource's customTimeouts, its annotation, else ten minutes. */
export function timeoutOf(object: ValueMap, customSeconds: number): number {
  const annotated = Number(annotationOf(object, TIMEOUT_SECONDS));
  return (customSeconds || annotated || DEFAULT_TIMEOUT_SECONDS) * 1000;
}
