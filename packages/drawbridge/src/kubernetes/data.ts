/** Objects that keep data: ConfigMaps, Secrets and claims of volumes. */

import { type Input, whenKnown } from "../kit/input.ts";
import type { AccessMode } from "./args.ts";
import { compact, type Manifest, type Metadata, metadataOf, skipAwait } from "./manifest.ts";
import type { Owner } from "./own-namespace.ts";
import { canonicalQuantities } from "./quantity.ts";

/** A ConfigMap with these files; one that is undefined is left out. */
export function configMap(
  name: Input<string>,
  { namespace, labels }: Owner,
  files: Readonly<Record<string, Input<string> | undefined>>,
): Manifest<"ConfigMap"> {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace, labels }, data: compact(files) };
}

/** A Secret with these texts, of which each comes out in base64, as the cluster keeps it. */
export function secret(
  name: Input<string>,
  owner: Owner,
  texts: Readonly<Record<string, Input<string> | undefined>>,
  { type = "Opaque", annotations }: { type?: string; annotations?: Metadata["annotations"] } = {},
): Manifest<"Secret"> {
  const metadata = metadataOf(name, owner, annotations);
  const data = Object.entries(texts).flatMap(([key, text]) =>
    text === undefined ? [] : [[key, whenKnown(text, base64)] as const],
  );
  return { apiVersion: "v1", kind: "Secret", metadata, type, data: Object.fromEntries(data) };
}

const base64 = (text: string) => Buffer.from(text).toString("base64");

/** What is asked of a volume. */
interface VolumeRequest {
  readonly size: Input<string>;
  readonly accessMode: Input<AccessMode>;
  readonly storageClassName?: Input<string> | undefined;
}

/**
 * Data is an object of its own with a fixed name, so that it outlives whatever mounts it; a larger size is accepted in
 * place. Nobody waits for it: many classes bind a claim only when a pod uses it.
 */
export function volumeClaim(
  owner: Pick<Metadata, "namespace" | "labels">,
  name: Input<string>,
  volume: VolumeRequest,
): Manifest<"PersistentVolumeClaim"> {
  return {
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata: metadataOf(name, owner, { ...skipAwait }),
    spec: compact({
      accessModes: [volume.accessMode],
      storageClassName: volume.storageClassName,
      resources: { requests: canonicalQuantities({ storage: volume.size }) },
    }),
  };
}
