/** Effective values of arguments that are left out, read from the objects made of them. */

import type { Change } from "./change.ts";
import { at, kindOf } from "./finding.ts";
import { mapAt } from "./objects.ts";

const pod = ["spec", "template", "spec"];
// The user's own container is the first.
const container = [...pod, "containers", 0];
const claim = ["spec", "resources", "requests", "storage"];

/** The object's kind, or the end of its logical name, and the value's path in it. */
const places: Readonly<Record<string, readonly [of: RegExp, ...path: (string | number)[]]>> = {
  "home.size": [/^PersistentVolumeClaim .*-home$/, ...claim],
  "persistVolume.size": [/^PersistentVolumeClaim .*-persist$/, ...claim],
  size: [/^PersistentVolumeClaim .*-claim$/, ...claim],
  "home.storageClassName": [/^PersistentVolumeClaim .*-home$/, "spec", "storageClassName"],
  image: [/^StatefulSet /, ...container, "image"],
  imagePullPolicy: [/^StatefulSet /, ...container, "imagePullPolicy"],
  "resources.cpu": [/^StatefulSet /, ...container, "resources", "requests", "cpu"],
  "resources.requests.cpu": [/^StatefulSet /, ...container, "resources", "requests", "cpu"],
  "resources.limits.cpu": [/^StatefulSet /, ...container, "resources", "limits", "cpu"],
  "resources.memory": [/^StatefulSet /, ...container, "resources", "limits", "memory"],
  "resources.limits.memory": [/^StatefulSet /, ...container, "resources", "limits", "memory"],
  "gpu.count": [/^StatefulSet /, ...container, "resources", "limits"],
  terminationGracePeriodSeconds: [/^(StatefulSet|Deployment) /, ...pod, "terminationGracePeriodSeconds"],
  replicas: [/^Deployment /, "spec", "replicas"],
  "loadBalancer.sourceRanges": [/^Service /, "spec", "loadBalancerSourceRanges"],
};

/** @param members the component and its children, as far as they change */
export function effectiveValue(path: string, members: readonly Change[], side: "before" | "after"): unknown {
  const [of, ...place] = places[path] ?? [];
  const object = members.find((change) => of?.test(`${kindOf(change)} ${change.name}`))?.[side];
  if (path !== "gpu.count" || object === undefined) return at(object, ...place);
  // Resources with a maker's name before them are devices.
  return Object.entries(mapAt(object, ...place)).find(([name]) => name.includes("/"))?.[1] ?? 0;
}
