/** What a container's pod has besides ours, under the names that it has in Kubernetes. */
import { arg, group } from "../kit/arg.ts";
import { judgedBy } from "../kit/guard.ts";
import { input, inputList, oneOf } from "../kit/schema.ts";
import { whole } from "../kit/shapes.ts";
import { podSchema as commonPod } from "../kubernetes/args.ts";
import { helpersSchema, sidecarsSchema } from "./args-additions.ts";
import { podVolumesSchema } from "./args-machine.ts";

/** Whether the cluster may move the container while people work in it. */
export const EvictionPolicy = { never: "never", allowed: "allowed" } as const;
export type EvictionPolicy = (typeof EvictionPolicy)[keyof typeof EvictionPolicy];

/** A row that says `passedTo` needs no builder; see args.ts. */
export const podFields = group(
  "DevContainerPodArgs",
  "Further fields of the container's pod.",
  {
    ...commonPod.shape,
    fsGroup: arg(
      input(whole(1, 2_000_000_000, "group ids")).optional(),
      "Group to which the kubelet opens claims, as in a pod. Where a claim's top folder is not that group's and writable " +
        "for it, everything in the claim gets this group, and its group may read and write it.",
      { default: "- `user.gid`; none for root and with `home.claimName`, where every owner and mode stays" },
    ),
    supplementalGroups: arg(
      inputList(whole(1, 2_000_000_000, "group ids")).default([]),
      "Further groups of the pod's processes, as in a pod, by which a network file system lets them in.",
      {
        effect: ["restart", "opens"],
        default: "none; with `home.claimName` 100, to which Jupyter's homes belong",
        example: "[5000]",
        guard: "daily",
      },
    ),
    volumes: arg(
      podVolumesSchema,
      "Further volumes, as in a pod. A claim or a Secret that the container alone mounts needs " +
        "none: `mounts` names it.",
      { effect: ["restart", "opens", "closes"], guard: judgedBy("volumes", "volume-borrowed") },
    ),
    initContainers: arg(
      helpersSchema,
      "Containers that run to their end, one after the other, before the container starts. One that " +
        "fails keeps it from starting.",
      { effect: ["restart", "opens", "closes"], guard: judgedBy("pod-parts", "pod-privileges") },
    ),
    sidecars: arg(sidecarsSchema, "Containers that run beside the container, in its network.", {
      effect: ["restart", "opens", "closes"],
      guard: judgedBy("pod-parts", "pod-privileges"),
    }),
    eviction: arg(
      input(oneOf(EvictionPolicy)).default("never"),
      "Whether the cluster may move the pod: `never` blocks node drains until someone deletes the pod.",
    ),
    stopWarningSeconds: arg(
      input(whole(0, 3600, "seconds")).default(15),
      "Seconds between a message in every open terminal and the end, when the container is moved, changed or " +
        "removed; 0 for neither. Nobody logged in: no wait.",
    ),
    terminationGracePeriodSeconds: arg(
      input(whole(5, 7200, "seconds")).default(60),
      "Seconds from the beginning of its stop to the kill, the warning included.",
      { passedTo: "pod" },
    ),
  },
  { extends: ["PodArgs"] },
);

export const podSchema = podFields.prefault({});
