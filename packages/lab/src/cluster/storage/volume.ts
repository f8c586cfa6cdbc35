import { chmod, mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { filled } from "@drawbridge-iac/drawbridge/src/kit/program";
import type { V1PersistentVolume, V1PersistentVolumeClaim, V1StorageClass } from "@kubernetes/client-node";
import { networkDiskSh } from "../../generated/programs.ts";
import type { KubeObject } from "../../kube/object.ts";
import { nodeName } from "../addresses.ts";
import type { NodePlan } from "../nodes/plan.ts";
import type { Plan } from "../plan.ts";

/** The provisioners that StorageClasses may name; the lab plays both. */
const localPath = "drawbridge.local/local-path";
/** The name under which Kubernetes knows the driver, too. */
const networkDisk = "drawbridge.local/network-disk";
const provisioners: readonly string[] = [localPath, networkDisk];

/** The default class: a folder of the node per claim, made when the first pod wants it, removed with the claim. */
export const storageClass: KubeObject = {
  apiVersion: "storage.k8s.io/v1",
  kind: "StorageClass",
  metadata: {
    name: "local-path",
    annotations: { "storageclass.kubernetes.io/is-default-class": "true" },
  },
  provisioner: localPath,
  reclaimPolicy: "Delete",
  volumeBindingMode: "WaitForFirstConsumer",
  allowVolumeExpansion: true,
};

/** The class of volumes that move from node to node; a lab of one node has none. */
export const networkClass: KubeObject = {
  ...storageClass,
  metadata: { name: "network-disk" },
  provisioner: networkDisk,
};

/** Annotation by which the scheduler says that a pod wants the claim, and where that pod is to run. */
const selectedNode = "volume.kubernetes.io/selected-node";
/** Annotation by which Kubernetes notes who made a volume. */
const provisionedBy = "pv.kubernetes.io/provisioned-by";

/** Whether the claim is waiting for one of the lab's volumes. */
export function wantsVolume(
  claim: V1PersistentVolumeClaim,
  storageClass: V1StorageClass | undefined,
  { nodes }: Pick<Plan, "nodes">,
): boolean {
  if (storageClass === undefined || !provisioners.includes(storageClass.provisioner)) return false;
  if (claim.spec?.volumeName || claim.metadata?.deletionTimestamp) return false;
  const isAnywhere =
    storageClass.volumeBindingMode !== "WaitForFirstConsumer" && nodes.some(({ name }) => name === nodeName);
  return isAnywhere || nodes.some(({ name }) => claim.metadata?.annotations?.[selectedNode] === name);
}

export function volumeName(claim: V1PersistentVolumeClaim): string {
  return `pvc-${claim.metadata?.uid}`;
}

/** The volume for a claim: a folder of the node that the scheduler chose, or one that all nodes can mount. */
export function volumeFor(
  claim: V1PersistentVolumeClaim,
  storageClass: V1StorageClass,
  plan: Pick<Plan, "nodes">,
): V1PersistentVolume {
  const name = volumeName(claim);
  const { spec, metadata } = claim;
  const { provisioner } = storageClass;
  return {
    apiVersion: "v1",
    kind: "PersistentVolume",
    metadata: { name, annotations: { [provisionedBy]: provisioner } },
    spec: {
      capacity: { storage: spec?.resources?.requests?.storage ?? "1Gi" },
      // Any number of nodes can use a folder; what a mode allows is left to Kubernetes.
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
      ...(provisioner === networkDisk ? { flexVolume: { driver: networkDisk } } : localFolder(claim, plan)),
    },
  };
}

/** Type `local` and not `hostPath`, since kubelet then treats it like a disk: it gives the folder to the pod's `fsGroup`. */
function localFolder(claim: V1PersistentVolumeClaim, { nodes }: Pick<Plan, "nodes">) {
  const selected = claim.metadata?.annotations?.[selectedNode];
  const node = nodes.find(({ name }) => name === selected) ?? nodes[0];
  if (node === undefined) throw new Error("a plan has at least one node");
  const here = { key: "kubernetes.io/hostname", operator: "In", values: [node.name] };
  return {
    local: { path: join(node.layout.volumes, volumeName(claim)) },
    nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions: [here] }] } },
  };
}

/** The folder with the data of one of the lab's volumes. */
export function folderOf({ metadata, spec }: V1PersistentVolume, { layout }: Pick<Plan, "layout">): string {
  return spec?.local?.path ?? join(layout.networkVolumes, metadata?.name ?? "");
}

function isOurs({ metadata }: V1PersistentVolume): boolean {
  return provisioners.includes(metadata?.annotations?.[provisionedBy] ?? "");
}

/** Whether a volume's folder is one of these nodes', or on the network, which the first node serves. */
export function isServed({ spec }: V1PersistentVolume, nodes: readonly NodePlan[]): boolean {
  const path = spec?.local?.path;
  if (path === undefined) return nodes.some(({ name }) => name === nodeName);
  return nodes.some(({ layout }) => path.startsWith(`${layout.volumes}/`));
}

/** Whether a volume and its folder are to be removed: the claim is gone, and the class wants it. */
export function isDiscarded(volume: V1PersistentVolume): boolean {
  const { metadata, spec, status } = volume;
  return (
    isOurs(volume) &&
    spec?.persistentVolumeReclaimPolicy === "Delete" &&
    status?.phase === "Released" &&
    metadata?.deletionTimestamp === undefined
  );
}

/** The size that a bound claim asks for and does not have yet. A folder has no size, so it is only written down. */
export function growth(claim: V1PersistentVolumeClaim, volume: V1PersistentVolume): string | undefined {
  if (!isOurs(volume)) return undefined;
  const wanted = claim.spec?.resources?.requests?.storage;
  const has = claim.status?.capacity?.storage;
  return claim.status?.phase === "Bound" && wanted !== has ? wanted : undefined;
}

/**
 * Writes the driver of network disks where kubelet and the controller manager look for it.
 * @param kubelet kubelet's folder
 * @param folder holds one folder per disk
 */
export async function installDriver(kubelet: string, folder: string): Promise<void> {
  const path = join(kubelet, "plugins-exec", networkDisk.replace("/", "~"), "network-disk");
  await mkdir(folder, { recursive: true });
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, filled(networkDiskSh, { FOLDER: folder }));
  await chmod(path, 0o755);
}
