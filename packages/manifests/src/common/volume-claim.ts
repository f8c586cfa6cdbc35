import { compact, type Manifest, type Metadata, metadataOf, skipAwait } from "./manifest.ts";
import type { Placed } from "./placed.ts";
import { canonicalQuantities } from "./quantity.ts";
import type { AccessMode } from "./volume.ts";

/** What is asked of a volume. */
interface VolumeRequest {
  readonly size: Placed<string>;
  readonly accessMode: AccessMode;
  readonly storageClassName?: Placed<string> | undefined;
}

/**
 * Data is an object of its own with a fixed name, so that it outlives whatever mounts it; a larger size is accepted in
 * place. Nobody waits for it: many classes bind a claim only when a pod uses it.
 */
export function volumeClaim(
  owner: Pick<Metadata, "namespace" | "labels">,
  name: Placed<string>,
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
