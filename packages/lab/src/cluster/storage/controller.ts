import { chmod, mkdir, rm } from "node:fs/promises";
import type { V1PersistentVolume, V1PersistentVolumeClaim, V1StorageClass } from "@kubernetes/client-node";
import type { KubeClient } from "../../kube/client.ts";
import { isAlreadyExists, isNotFound } from "../../kube/error.ts";
import { type KubeObject, named } from "../../kube/object.ts";
import { Mirror, worker } from "../../kube/watch.ts";
import type { NodePlan } from "../nodes/plan.ts";
import type { Plan } from "../plan.ts";
import { folderOf, growth, isDiscarded, isServed, volumeFor, volumeName, wantsVolume } from "./volume.ts";

/**
 * Makes, grows and removes the volumes of the lab's classes. The well-known provisioner of the name `local-path` starts a
 * pod for each folder it makes or removes and cannot grow a volume; a lab has no use for either. All nodes' folders
 * are this machine's, so one provisioner serves them all but those of an emulated one, which serves itself.
 */
export function provisionVolumes(api: KubeClient, plan: Plan, served: readonly NodePlan[]): void {
  const { wake } = worker("storage", async () => {
    if (![claims, volumes, classes].every(({ listed }) => listed)) return;
    const classOf = new Map(classes.items.map((item) => [item.metadata?.name, item]));
    const own = volumes.items.filter((volume) => isServed(volume, served));
    const volumeOf = new Map(own.map((item) => [item.metadata?.name, item]));
    for (const claim of claims.items) {
      const storageClass = classOf.get(claim.spec?.storageClassName);
      const bound = volumeOf.get(claim.spec?.volumeName);
      if (bound !== undefined) await grow(api, claim, bound);
      else if (storageClass !== undefined && wantsVolume(claim, storageClass, { nodes: served })) {
        if (!volumeOf.has(volumeName(claim))) await provision(api, plan, claim, storageClass);
      }
    }
    for (const volume of own.filter(isDiscarded)) await discard(api, plan, volume);
  });
  const claims = new Mirror<V1PersistentVolumeClaim>(
    api,
    { apiVersion: "v1", kind: "PersistentVolumeClaim" },
    wake,
  );
  const volumes = new Mirror<V1PersistentVolume>(api, { apiVersion: "v1", kind: "PersistentVolume" }, wake);
  const classes = new Mirror<V1StorageClass>(
    api,
    { apiVersion: "storage.k8s.io/v1", kind: "StorageClass" },
    wake,
  );
}

async function provision(
  api: KubeClient,
  plan: Plan,
  claim: V1PersistentVolumeClaim,
  storageClass: V1StorageClass,
): Promise<void> {
  const volume = volumeFor(claim, storageClass, plan);
  const folder = folderOf(volume, plan);
  await mkdir(folder, { recursive: true });
  // Like a fresh disk: it belongs to root, and only root may write until kubelet hands it to a pod's group.
  await chmod(folder, 0o755);
  try {
    await api.create(volume as unknown as KubeObject);
  } catch (error) {
    // Our copy of the volumes was behind.
    if (!isAlreadyExists(error)) throw error;
  }
}

async function grow(
  api: KubeClient,
  claim: V1PersistentVolumeClaim,
  volume: V1PersistentVolume,
): Promise<void> {
  const size = growth(claim, volume);
  if (size === undefined) return;
  const capacity = { capacity: { storage: size } };
  await api.patch(volumeRef(volume), { spec: capacity });
  const grown = { apiVersion: "v1", kind: "PersistentVolumeClaim", ...named(claim.metadata) };
  await api.patch(grown, { status: { ...capacity, conditions: null } }, "/status");
}

async function discard(api: KubeClient, plan: Plan, volume: V1PersistentVolume): Promise<void> {
  await rm(folderOf(volume, plan), { recursive: true, force: true });
  await api.delete(volumeRef(volume)).catch((error: unknown) => {
    if (!isNotFound(error)) throw error;
  });
}

function volumeRef({ metadata }: V1PersistentVolume) {
  return { apiVersion: "v1", kind: "PersistentVolume", ...named(metadata) };
}
