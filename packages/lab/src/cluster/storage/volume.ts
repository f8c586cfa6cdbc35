import { join } from "node:path";
import type { V1PersistentVolume, V1PersistentVolumeClaim, V1StorageClass } from "@kubernetes/client-node";
import type { KubeObject } from "../../kube/object.ts";
import { nodeName } from "../addresses.ts";

/** The name under which the lab's own provisioner answers for classes. */
export const provisioner = "drawbridge.local/local-path";

/** The default class: a folder of the node per claim, made when the first pod wants it, removed with the claim. */
export const storageClass: KubeObject = {
  apiVersion: "storage.k8s.io/v1",
  kind: "StorageClass",
  metadata: {
    name: "local-path",
    annotations: { "storageclass.kubernetes.io/is-default-class": "true" },
  },
  provisioner,
  reclaimPolicy: "Delete",
  volumeBindingMode: "WaitForFirstConsumer",
  allowVolumeExpansion: true,
};

/** Annotation by which the scheduler says that a pod wants the claim, and where that pod is to run. */
const selectedNode = "volume.kubernetes.io/selected-node";
/** Annotation by which Kubernetes notes who made a volume. */
const provisionedBy = "pv.kubernetes.io/provisioned-by";

/** Whether the claim waits for a volume of ours now. */
export function wantsVolume(
  claim: V1PersistentVolumeClaim,
  storageClass: V1StorageClass | undefined,
): boolean {
  if (storageClass?.provisioner !== provisioner) return false;
  if (claim.spec?.volumeName || claim.metadata?.deletionTimestamp) return false;
  return (
    storageClass.volumeBindingMode !== "WaitForFirstConsumer" ||
    claim.metadata?.annotations?.[selectedNode] === nodeName
  );
}

export function volumeName(claim: V1PersistentVolumeClaim): string {
  return `pvc-${claim.metadata?.uid}`;
}

/**
 * The volume for a claim: a folder below `root`. Type `local` and not `hostPath`, since kubelet then treats it like a
 * disk: it gives the folder to the pod's `fsGroup`.
 */
export function volumeFor(
  claim: V1PersistentVolumeClaim,
  storageClass: V1StorageClass,
  root: string,
): V1PersistentVolume {
  const name = volumeName(claim);
  const { spec, metadata } = claim;
  return {
    apiVersion: "v1",
    kind: "PersistentVolume",
    metadata: { name, annotations: { [provisionedBy]: provisioner } },
    spec: {
      capacity: { storage: spec?.resources?.requests?.storage ?? "1Gi" },
      // Every mode works as long as there is one node.
      accessModes: spec?.accessModes ?? [],
      volumeMode: "Filesystem",
      persistentVolumeReclaimPolicy: storageClass.reclaimPolicy ?? "Delete",
      storageClassName: storageClass.metadata?.name ?? "",
      claimRef: {
        apiVersion: "v1",
        kind: "PersistentVolumeClaim",
        namespace: metadata?.namespace ?? "",
        name: metadata?.name ?? "",
        uid: metadata?.uid ?? "",
      },
      local: { path: join(root, name) },
      nodeAffinity: {
        required: {
          nodeSelectorTerms: [
            { matchExpressions: [{ key: "kubernetes.io/hostname", operator: "In", values: [nodeName] }] },
          ],
        },
      },
    },
  };
}

/** Whether the folder of a volume is to be removed: its claim is gone, and the class said so. */
export function isDiscarded({ metadata, spec, status }: V1PersistentVolume): boolean {
  return (
    metadata?.annotations?.[provisionedBy] === provisioner &&
    spec?.persistentVolumeReclaimPolicy === "Delete" &&
    status?.phase === "Released" &&
    metadata.deletionTimestamp === undefined
  );
}

/** The size that a bound claim asks for and does not have yet. A folder has no size, so growing is only a note. */
export function growth(claim: V1PersistentVolumeClaim, volume: V1PersistentVolume): string | undefined {
  if (volume.metadata?.annotations?.[provisionedBy] !== provisioner) return undefined;
  const wanted = claim.spec?.resources?.requests?.storage;
  const has = claim.status?.capacity?.storage;
  return claim.status?.phase === "Bound" && wanted !== has ? wanted : undefined;
}
