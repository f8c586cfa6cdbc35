import { chmod, mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { V1PersistentVolume, V1PersistentVolumeClaim, V1StorageClass } from "@kubernetes/client-node";
import { type ApiClient, ApiError } from "../api/client.ts";
import { Mirror } from "../api/watch.ts";
import { worker } from "../api/worker.ts";
import { growth, isDiscarded, volumeFor, volumeName, wantsVolume } from "./volume.ts";

/**
 * Makes, grows and removes the volumes of the class `local-path`. The well-known provisioner of that name starts a
 * pod for each folder it makes or removes and cannot grow a volume; in a lab both would only cost.
 * @param root folder that holds one folder per volume
 */
export function provisionVolumes(api: ApiClient, root: string): void {
  const { wake } = worker("storage", async () => {
    if (![claims, volumes, classes].every(({ listed }) => listed)) return;
    const classOf = new Map(classes.items.map((item) => [item.metadata?.name, item]));
    const volumeOf = new Map(volumes.items.map((item) => [item.metadata?.name, item]));
    for (const claim of claims.items) {
      const storageClass = classOf.get(claim.spec?.storageClassName);
      const bound = volumeOf.get(claim.spec?.volumeName);
      if (bound !== undefined) await grow(api, claim, bound);
      else if (storageClass !== undefined && wantsVolume(claim, storageClass)) {
        if (!volumeOf.has(volumeName(claim))) await provision(api, root, claim, storageClass);
      }
    }
    for (const volume of volumes.items.filter(isDiscarded)) await discard(api, root, volume);
  });
  const claims = new Mirror<V1PersistentVolumeClaim>(api, "/api/v1/persistentvolumeclaims", wake);
  const volumes = new Mirror<V1PersistentVolume>(api, "/api/v1/persistentvolumes", wake);
  const classes = new Mirror<V1StorageClass>(api, "/apis/storage.k8s.io/v1/storageclasses", wake);
}

async function provision(
  api: ApiClient,
  root: string,
  claim: V1PersistentVolumeClaim,
  storageClass: V1StorageClass,
): Promise<void> {
  const folder = join(root, volumeName(claim));
  await mkdir(folder, { recursive: true });
  // As on a fresh disk: root's, and nobody else may write until kubelet hands it to a pod's group.
  await chmod(folder, 0o755);
  try {
    await api.post("/api/v1/persistentvolumes", volumeFor(claim, storageClass, root));
  } catch (error) {
    // Our copy of the volumes was behind.
    if (!(error instanceof ApiError && error.status === 409)) throw error;
  }
}

async function grow(
  api: ApiClient,
  { metadata, ...claim }: V1PersistentVolumeClaim,
  volume: V1PersistentVolume,
): Promise<void> {
  const size = growth({ metadata: metadata ?? {}, ...claim }, volume);
  if (size === undefined) return;
  const capacity = { capacity: { storage: size } };
  await api.merge(`/api/v1/persistentvolumes/${volume.metadata?.name}`, { spec: capacity });
  await api.merge(
    `/api/v1/namespaces/${metadata?.namespace}/persistentvolumeclaims/${metadata?.name}/status`,
    { status: { ...capacity, conditions: null } },
  );
}

async function discard(api: ApiClient, root: string, volume: V1PersistentVolume): Promise<void> {
  const name = volume.metadata?.name ?? "";
  await rm(join(root, name), { recursive: true, force: true });
  await api.delete(`/api/v1/persistentvolumes/${name}`).catch((error: unknown) => {
    if (!(error instanceof ApiError && error.status === 404)) throw error;
  });
}
