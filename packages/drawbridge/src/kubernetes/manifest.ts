import { type Input, whenKnown } from "../kit/input.ts";
import type { Kind, Kinds } from "./kinds.ts";

/** Metadata of every Kubernetes object. */
export interface Metadata {
  readonly name: Input<string>;
  readonly namespace?: Input<string>;
  readonly labels?: Readonly<Record<string, Input<string>>>;
  readonly annotations?: Input<Readonly<Record<string, Input<string>>>>;
}

/** A Kubernetes object of a kind as a builder makes it: that kind's fields, with Inputs at some leaves. */
export type Manifest<K extends Kind = Kind> = K extends Kind
  ? Omit<Kinds[K], "apiVersion" | "kind" | "metadata"> & {
      readonly apiVersion: Extract<Kinds[K]["apiVersion"], string>;
      readonly kind: K;
      readonly metadata: Metadata;
    }
  : never;

/** Metadata of an object of a component's. */
export const metadataOf = (
  name: Input<string>,
  { namespace, labels }: Pick<Metadata, "namespace" | "labels">,
  annotations?: Metadata["annotations"],
): Metadata => compact({ name, namespace, labels, annotations }) as Metadata;

/** `object` without its undefined values, so that a manifest never holds a key that means nothing. */
export function compact<T extends object>(object: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as never;
}

/** The list or object, or undefined if it is empty. */
export function ifAny<T extends object>(value: T): T | undefined {
  return Object.keys(value).length > 0 ? value : undefined;
}

/** Pulumi's provider waits for this object's readiness unless it carries this annotation. */
export const skipAwait = { "pulumi.com/skipAwait": "true" } as const;

/** How Pulumi deletes an object: with what belongs to it, or alone. */
export const deletionPolicy = "pulumi.com/deletionPropagationPolicy";

/**
 * Kinds that Pulumi deletes in its own way: those that make other objects, whose end is worth waiting for; and those whose
 * names and addresses components give out, which a preview without a cluster would not know once the object is changed.
 */
const deletedInTurn = new Set([
  "Deployment",
  "Job",
  "Namespace",
  "PersistentVolumeClaim",
  "Service",
  "StatefulSet",
]);

/**
 * The object, marked so that Pulumi deletes it without waiting, unless it is of those kinds. Otherwise Pulumi leaves the
 * end of every object to the cluster's garbage collector, which ends some 14 in a second: 100 containers took it 100 s
 * (docs/bench.md).
 */
export function deletedAlone<K extends Kind>(manifest: Manifest<K>): Manifest<K> {
  if (deletedInTurn.has(manifest.kind)) return manifest;
  const { metadata } = manifest;
  const annotations = whenKnown(metadata.annotations ?? {}, (own) => ({
    ...own,
    [deletionPolicy]: "background",
  }));
  return { ...manifest, metadata: { ...metadata, annotations } };
}
