import { at, type KubeObject, listAt, numberAt, stringAt } from "../kubernetes/object.ts";
import type { Json } from "../values/property.ts";

/** What a look at an object says about the wait for it. */
export type Verdict =
  | { readonly is: "ready" }
  | { readonly is: "waiting"; readonly for: string }
  | { readonly is: "failed"; readonly why: string };

const READY: Verdict = { is: "ready" };
const waiting = (what: string): Verdict => ({ is: "waiting", for: what });

/** Kinds that are waited for by looking at the object alone. Those not named here are ready once they exist. */
export const VERDICTS: Readonly<Record<string, (object: KubeObject) => Verdict>> = {
  "apps/v1/Deployment": deployment,
  "apps/v1/StatefulSet": statefulSet,
  "apps/v1/DaemonSet": daemonSet,
  "batch/v1/Job": job,
  "v1/Pod": pod,
  "v1/PersistentVolume": persistentVolume,
};

function deployment(object: KubeObject): Verdict {
  if (isStale(object)) return waiting("the new generation to be seen");
  const wanted = numberAt(object, ["spec", "replicas"], 1);
  const [updated, available, all] = ["updatedReplicas", "availableReplicas", "replicas"].map((field) =>
    numberAt(object, ["status", field], 0),
  ) as [number, number, number];
  if (updated < wanted) return waiting(`new pods (${updated} of ${wanted} made)`);
  if (all > updated) return waiting(`old pods to end (${all - updated} left)`);
  if (available < wanted) return waiting(`pods to become available (${available} of ${wanted})`);
  return READY;
}

function statefulSet(object: KubeObject): Verdict {
  if (isStale(object)) return waiting("the new generation to be seen");
  const wanted = numberAt(object, ["spec", "replicas"], 1);
  const ready = numberAt(object, ["status", "readyReplicas"], 0);
  const rolls = stringAt(object, "spec", "updateStrategy", "type") !== "OnDelete";
  const partition = numberAt(object, ["spec", "updateStrategy", "rollingUpdate", "partition"], 0);
  const updated = numberAt(object, ["status", "updatedReplicas"], 0);
  if (rolls && updated < wanted - partition) return waiting(`new pods (${updated} of ${wanted} made)`);
  if (ready < wanted) return waiting(`pods to become ready (${ready} of ${wanted})`);
  const settled =
    stringAt(object, "status", "currentRevision") === stringAt(object, "status", "updateRevision");
  return settled || !rolls || partition > 0 || wanted === 0
    ? READY
    : waiting("the new revision to be current");
}

function daemonSet(object: KubeObject): Verdict {
  if (isStale(object)) return waiting("the new generation to be seen");
  const [wanted, updated, available] = [
    "desiredNumberScheduled",
    "updatedNumberScheduled",
    "numberAvailable",
  ].map((field) => numberAt(object, ["status", field], 0)) as [number, number, number];
  if (updated < wanted) return waiting(`new pods (${updated} of ${wanted} made)`);
  return available < wanted ? waiting(`pods to become available (${available} of ${wanted})`) : READY;
}

function job(object: KubeObject): Verdict {
  const failed = condition(object, "Failed");
  if (stringAt(failed, "status") === "True") return { is: "failed", why: reasonOf(failed) };
  if (stringAt(condition(object, "Complete"), "status") === "True") return READY;
  if (at(object, "spec", "suspend") === true) return READY;
  const wanted = numberAt(object, ["spec", "completions"], 1);
  return waiting(`completions (${numberAt(object, ["status", "succeeded"], 0)} of ${wanted})`);
}

function pod(object: KubeObject): Verdict {
  const phase = stringAt(object, "status", "phase") ?? "Pending";
  if (phase === "Succeeded") return READY;
  if (phase === "Failed") {
    return {
      is: "failed",
      why: stringAt(object, "status", "message") ?? stringAt(object, "status", "reason") ?? "the pod failed",
    };
  }
  if (stringAt(condition(object, "Ready"), "status") === "True") return READY;
  return waiting(`the pod to become ready (${phase})`);
}

function persistentVolume(object: KubeObject): Verdict {
  const phase = stringAt(object, "status", "phase");
  return phase === "Available" || phase === "Bound" ? READY : waiting("the volume to become available");
}

/** The controller has not seen the object's latest version yet, so its status speaks of an older one. */
function isStale(object: KubeObject): boolean {
  return (
    numberAt(object, ["status", "observedGeneration"], 0) < numberAt(object, ["metadata", "generation"], 0)
  );
}

/** The condition of a type, or undefined. */
export function condition(object: KubeObject, type: string): Json | undefined {
  return listAt(object, "status", "conditions").find((entry) => stringAt(entry, "type") === type);
}

/** Reason and message of a condition in one line. */
export function reasonOf(entry: Json | undefined): string {
  return [stringAt(entry, "reason"), stringAt(entry, "message")].filter(Boolean).join(": ");
}
