/** What the container runs on: CPU, memory, GPUs and the node. */

import { text, whenKnown } from "../kit/input.ts";
import type { PodSpec } from "../kubernetes/kinds.ts";
import { compact } from "../kubernetes/manifest.ts";
import type { PodPart } from "../kubernetes/pod.ts";
import { canonicalQuantities, canonicalQuantity, mebibytes, quantityValue } from "../kubernetes/quantity.ts";
import { podResources } from "../kubernetes/resources.ts";
import { podScheduling } from "../kubernetes/scheduling.ts";
import { defaultResources } from "./args-machine.ts";
import type { DevContainerPlan } from "./plan.ts";
import { storageScheduling } from "./storages.ts";

/** Requests and limits of the main container. GPUs and disk are never overcommitted, memory only where someone says so. */
export function containerResources({ resources }: DevContainerPlan) {
  const { ephemeralStorage, gpu } = resources;
  const fixed = canonicalQuantities({
    ...(ephemeralStorage === undefined ? {} : { "ephemeral-storage": ephemeralStorage }),
    ...(gpu === undefined ? {} : { [gpu.resource]: text`${gpu.count}` }),
  });
  const { requests, limits } = podResources(resources, defaultResources);
  return { requests: { ...requests, ...fixed }, limits: { ...limits, ...fixed } };
}

/** Without this /dev/shm has 64 MiB, too little for data loaders. What lies in it counts as memory. */
export function sharedMemoryPart({ resources }: DevContainerPlan): PodPart {
  const half = whenKnown(memoryLimit(resources), (memory) => mebibytes((quantityValue(memory) ?? 0) / 2));
  return {
    volumes: [
      {
        name: "shm",
        emptyDir: {
          medium: "Memory",
          sizeLimit: whenKnown(resources.sharedMemory ?? half, canonicalQuantity),
        },
      },
    ],
    mounts: [{ name: "shm", mountPath: "/dev/shm" }],
  };
}

/** The most memory that the main container gets; the schema saw to it that there is a limit. */
export function memoryLimit({ memory, limits }: Pick<DevContainerPlan["resources"], "memory" | "limits">) {
  return limits?.memory ?? memory ?? defaultResources.limits.memory;
}

/** The label by which NVIDIA's feature discovery names a node's GPU. */
const gpuProductLabel = "nvidia.com/gpu.product";

/** The pod's fields that choose its node. */
export function placement({ scheduling, resources, storage, selector }: DevContainerPlan): Partial<PodSpec> {
  return podScheduling(scheduling, {
    selector,
    nodeSelector: compact({ [gpuProductLabel]: resources.gpu?.product }),
    podAffinity: storageScheduling(storage).podAffinity,
  });
}
