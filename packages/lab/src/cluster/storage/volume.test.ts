import type { V1PersistentVolume, V1PersistentVolumeClaim, V1StorageClass } from "@kubernetes/client-node";
import { expect, test } from "vitest";
import { layoutOf } from "../layout.ts";
import { planNodes } from "../nodes/plan.ts";
import {
  folderOf,
  growth,
  isDiscarded,
  isServed,
  networkClass,
  storageClass,
  volumeFor,
  wantsVolume,
} from "./volume.ts";

const localPath = storageClass as unknown as V1StorageClass;
const network = networkClass as unknown as V1StorageClass;
const layout = layoutOf("unit", "/state");
const plan = { layout, nodes: planNodes(layout, 2) };
const claim: V1PersistentVolumeClaim = {
  metadata: {
    name: "home",
    namespace: "team-a",
    uid: "1234",
    annotations: { "volume.kubernetes.io/selected-node": "lab-node" },
  },
  spec: {
    accessModes: ["ReadWriteOnce"],
    resources: { requests: { storage: "5Gi" } },
    storageClassName: "local-path",
  },
};

test("the volume for a claim", () => {
  expect(volumeFor(claim, localPath, plan)).toEqual({
    apiVersion: "v1",
    kind: "PersistentVolume",
    metadata: {
      name: "pvc-1234",
      annotations: { "pv.kubernetes.io/provisioned-by": "drawbridge.local/local-path" },
    },
    spec: {
      capacity: { storage: "5Gi" },
      accessModes: ["ReadWriteOnce"],
      volumeMode: "Filesystem",
      persistentVolumeReclaimPolicy: "Delete",
      storageClassName: "local-path",
      claimRef: {
        apiVersion: "v1",
        kind: "PersistentVolumeClaim",
        namespace: "team-a",
        name: "home",
        uid: "1234",
      },
      local: { path: "/state/unit/volumes/pvc-1234" },
      nodeAffinity: {
        required: {
          nodeSelectorTerms: [
            { matchExpressions: [{ key: "kubernetes.io/hostname", operator: "In", values: ["lab-node"] }] },
          ],
        },
      },
    },
  });
});

const selecting = (node: string) => ({
  ...claim,
  metadata: { ...claim.metadata, annotations: { "volume.kubernetes.io/selected-node": node } },
});

test("a volume is a folder of the node that the scheduler chose, and stays there", () => {
  const { spec } = volumeFor(selecting("lab-node-2"), localPath, plan);
  expect(spec?.local).toEqual({ path: "/state/unit/lab-node-2/volumes/pvc-1234" });
  expect(spec?.nodeAffinity?.required?.nodeSelectorTerms).toEqual([
    { matchExpressions: [{ key: "kubernetes.io/hostname", operator: "In", values: ["lab-node-2"] }] },
  ]);
});

test("a network disk is attached wherever its pod is", () => {
  const disk = volumeFor(selecting("lab-node-2"), network, plan);
  const { local, nodeAffinity, flexVolume, storageClassName, accessModes } = disk.spec ?? {};
  expect({ local, nodeAffinity, flexVolume, storageClassName, accessModes }).toEqual({
    local: undefined,
    nodeAffinity: undefined,
    flexVolume: { driver: "drawbridge.local/network-disk" },
    storageClassName: "network-disk",
    accessModes: ["ReadWriteOnce"],
  });
  expect(folderOf(disk, plan)).toBe("/state/unit/network-volumes/pvc-1234");
  expect(isDiscarded({ ...disk, status: { phase: "Released" } })).toBe(true);
});

test.each<[string, V1PersistentVolumeClaim, V1StorageClass | undefined, boolean]>([
  ["that a pod wants", claim, localPath, true],
  ["that a pod wants elsewhere", selecting("lab-node-2"), network, true],
  ["that a pod wants on a node that is not the lab's", selecting("simulated"), localPath, false],
  ["that no pod wants", { ...claim, metadata: { uid: "1" } }, localPath, false],
  [
    "that no pod wants, of a class that does not wait",
    { spec: {} },
    { ...localPath, volumeBindingMode: "Immediate" },
    true,
  ],
  ["with a volume", { ...claim, spec: { volumeName: "mine" } }, localPath, false],
  ["that is being deleted", { ...claim, metadata: { deletionTimestamp: new Date(0) } }, localPath, false],
  ["of another provisioner's class", claim, { ...localPath, provisioner: "someone.else/disk" }, false],
  ["of no known class", claim, undefined, false],
])("a claim %s wants a volume: %#", (_, asking, storageClass, expected) => {
  expect(wantsVolume(asking, storageClass, plan)).toBe(expected);
});

const volume: V1PersistentVolume = volumeFor(claim, localPath, plan);
const bound = { ...claim, status: { phase: "Bound", capacity: { storage: "5Gi" } } };
const asking = (storage: string) => ({ ...bound, spec: { resources: { requests: { storage } } } });

test("a bound claim grows to what it asks for", () => {
  expect(growth(bound, volume)).toBe(undefined);
  expect(growth(asking("8Gi"), volume)).toBe("8Gi");
  expect(growth({ ...asking("8Gi"), status: { phase: "Lost" } }, volume)).toBe(undefined);
  expect(growth(asking("8Gi"), { ...volume, metadata: {} })).toBe(undefined);
});

test("a volume is discarded when it was released, is ours and its class says Delete", () => {
  const released = { ...volume, status: { phase: "Released" } };
  expect(isDiscarded(released)).toBe(true);
  expect(isDiscarded({ ...volume, status: { phase: "Bound" } })).toBe(false);
  expect(isDiscarded({ ...released, metadata: {} })).toBe(false);
  expect(isDiscarded({ ...released, spec: { persistentVolumeReclaimPolicy: "Retain" } })).toBe(false);
  expect(isDiscarded({ ...released, metadata: { ...volume.metadata, deletionTimestamp: new Date(0) } })).toBe(
    false,
  );
});

test("a machine serves the folders on its own disk, and the first node all others", () => {
  const [first, machine] = planNodes(layout, 1, true);
  if (first === undefined || machine === undefined) throw new Error("there are two");
  const whole = { layout, nodes: [first, machine] };
  const onMachine = selecting(machine.name);
  const volumes = [
    volumeFor(claim, localPath, whole),
    volumeFor(onMachine, localPath, whole),
    volumeFor(onMachine, network, whole),
  ];
  const servedBy = (node: typeof first) => volumes.map((volume) => isServed(volume, [node]));
  expect(servedBy(first)).toEqual([true, false, true]);
  expect(servedBy(machine)).toEqual([false, true, false]);
  expect(wantsVolume(onMachine, localPath, { nodes: [first] })).toBe(false);
  expect(wantsVolume(onMachine, localPath, { nodes: [machine] })).toBe(true);
  const atOnce = { ...localPath, volumeBindingMode: "Immediate" };
  expect(wantsVolume(claim, atOnce, { nodes: [machine] })).toBe(false);
});
