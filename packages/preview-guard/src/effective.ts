/** Effective values of arguments that are left out, read from the objects made of them. */

import type { Change } from "./change.ts";
import { at, kindOf } from "./finding.ts";
import { listAt } from "./objects.ts";

type Side = "before" | "after";

interface Source {
  /** One kind, or several with a bar between. */
  readonly kind: string;
  /** End of the object's logical name. */
  readonly suffix?: string;
  readonly read: (inputs: unknown) => unknown;
}

const storage: Source["read"] = (inputs) => at(inputs, "spec", "resources", "requests", "storage");
const container = (...path: string[]): Source["read"] => {
  // The user's own container is the one that is not named after a part of ours.
  return (inputs) => at(listAt(inputs, "spec", "template", "spec", "containers")[0], ...path);
};
const pod =
  (...path: string[]): Source["read"] =>
  (inputs) =>
    at(inputs, "spec", "template", "spec", ...path);
const balancer =
  (field: string): Source["read"] =>
  (inputs) =>
    at(inputs, "spec", field);

/** Resources with a maker's name before them are devices. */
const gpus: Source["read"] = (inputs) => {
  const limits = Object.entries((container("resources", "limits")(inputs) ?? {}) as object);
  return inputs === undefined ? undefined : (limits.find(([name]) => name.includes("/"))?.[1] ?? 0);
};

const sources: Readonly<Record<string, Source>> = {
  "home.size": { kind: "PersistentVolumeClaim", suffix: "-home", read: storage },
  "persistVolume.size": { kind: "PersistentVolumeClaim", suffix: "-persist", read: storage },
  size: { kind: "PersistentVolumeClaim", suffix: "-claim", read: storage },
  "home.storageClassName": {
    kind: "PersistentVolumeClaim",
    suffix: "-home",
    read: (inputs) => at(inputs, "spec", "storageClassName"),
  },
  image: { kind: "StatefulSet", read: container("image") },
  imagePullPolicy: { kind: "StatefulSet", read: container("imagePullPolicy") },
  "resources.cpu": { kind: "StatefulSet", read: container("resources", "requests", "cpu") },
  "resources.requests.cpu": { kind: "StatefulSet", read: container("resources", "requests", "cpu") },
  "resources.limits.cpu": { kind: "StatefulSet", read: container("resources", "limits", "cpu") },
  "resources.memory": { kind: "StatefulSet", read: container("resources", "limits", "memory") },
  "resources.limits.memory": { kind: "StatefulSet", read: container("resources", "limits", "memory") },
  "gpu.count": { kind: "StatefulSet", read: gpus },
  terminationGracePeriodSeconds: {
    kind: "StatefulSet|Deployment",
    read: pod("terminationGracePeriodSeconds"),
  },
  replicas: { kind: "Deployment", read: (inputs) => at(inputs, "spec", "replicas") },
  "loadBalancer.sourceRanges": { kind: "Service", read: balancer("loadBalancerSourceRanges") },
};

/** @param members the component and its children, as far as they change */
export function effectiveValue(path: string, members: readonly Change[], side: Side): unknown {
  const source = sources[path];
  if (source === undefined) return undefined;
  const object = members.find(
    (change) => source.kind.split("|").includes(kindOf(change)) && change.name.endsWith(source.suffix ?? ""),
  );
  return source.read(object?.[side]);
}
