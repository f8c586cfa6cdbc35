/** What the container runs on: CPU, memory, GPUs and the node. */
import { compact } from "../common/manifest.ts";
import { whenKnown } from "../common/placed.ts";
import type { PodPart } from "../common/pod-part.ts";
import { mebibytes, quantityValue } from "../common/quantity.ts";
import { tolerationList } from "../common/toleration.ts";
import { storageScheduling } from "../storage/mounts.ts";
import type { DevContainerPlan } from "./plan.ts";

/** Requests and limits of the main container. Memory and GPUs are never overcommitted: a kill would end sessions. */
export function containerResources({ resources }: DevContainerPlan) {
  const { cpu, cpuLimit, memory, ephemeralStorage, gpu } = resources;
  const fixed = compact({
    memory,
    "ephemeral-storage": ephemeralStorage,
    ...(gpu === undefined ? {} : { [gpu.resource]: String(gpu.count) }),
  });
  return { requests: { cpu, ...fixed }, limits: { ...compact({ cpu: cpuLimit }), ...fixed } };
}

/** Of containers that only prepare the pod: little, but stated, so that a namespace's quota admits them. */
export const helperResources = {
  requests: { cpu: "10m", memory: "64Mi" },
  limits: { memory: "256Mi" },
} as const;

/** Without this /dev/shm has 64 MiB, too little for data loaders. What lies in it counts as memory. */
export function sharedMemoryPart({ resources }: DevContainerPlan): PodPart {
  const half = whenKnown(resources.memory, (memory) => mebibytes((quantityValue(memory) ?? 0) / 2));
  return {
    volumes: [{ name: "shm", emptyDir: { medium: "Memory", sizeLimit: resources.sharedMemory ?? half } }],
    mounts: [{ name: "shm", mountPath: "/dev/shm" }],
  };
}

/** The label by which NVIDIA's feature discovery names a node's GPU. */
const gpuProductLabel = "nvidia.com/gpu.product";

/** The pod's fields that choose its node. */
export function placement({ scheduling, resources, storage }: DevContainerPlan): Record<string, unknown> {
  const { gpu } = resources;
  const nodeSelector = compact({ ...scheduling.nodeSelector, [gpuProductLabel]: gpu?.product });
  return compact({
    nodeSelector: Object.keys(nodeSelector).length > 0 ? nodeSelector : undefined,
    tolerations: tolerationList(scheduling.tolerations),
    affinity: affinity(scheduling.zones, storage),
    priorityClassName: scheduling.priorityClass,
    runtimeClassName: gpu?.runtimeClass,
  });
}

function affinity(zones: readonly string[], storage: DevContainerPlan["storage"]) {
  const all = { ...(zones.length > 0 ? inZones(zones) : {}), ...storageScheduling(storage).affinity };
  return Object.keys(all).length > 0 ? all : undefined;
}

function inZones(zones: readonly string[]) {
  const matchExpressions = [{ key: "topology.kubernetes.io/zone", operator: "In", values: [...zones] }];
  return {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions }] },
    },
  };
}
