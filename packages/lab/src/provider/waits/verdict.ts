import { isDeepStrictEqual } from "node:util";
import { at, type Json, type KubeObject, listAt, numberAt, stringAt } from "../../kube/object.ts";

/** What a look at an object says about the wait for it, in the official provider's words. */
export type Verdict =
  | { readonly is: "ready" }
  /** `status` is its status line; `missing` is what an error says besides, if the wait is not over in time. */
  | { readonly is: "waiting"; readonly status: string; readonly missing: readonly string[] }
  | { readonly is: "failed"; readonly missing: readonly string[] };

export const READY: Verdict = { is: "ready" };
export const waiting = (status: string, ...missing: string[]): Verdict => ({
  is: "waiting",
  status,
  missing,
});

/** Kinds that are waited for by looking at the object alone. */
export const VERDICTS: Readonly<Record<string, (object: KubeObject) => Verdict>> = {
  "apps/v1/Deployment": deployment,
  "apps/v1/StatefulSet": statefulSet,
  "batch/v1/Job": job,
  "v1/Pod": pod,
  "v1/ResourceQuota": quota,
};

/** Until its controller has noticed it, the API server refuses what it counts. */
function quota(object: KubeObject): Verdict {
  return isDeepStrictEqual(at(object, "status", "hard"), at(object, "spec", "hard")) ? READY : waiting("");
}

function deployment(object: KubeObject): Verdict {
  const wanted = numberAt(object, ["spec", "replicas"], 1);
  const [updated = 0, available = 0, all = 0] = ["updatedReplicas", "availableReplicas", "replicas"].map(
    (field) => numberAt(object, ["status", field], 0),
  );
  if (!isStale(object) && updated >= wanted && all <= updated && available >= wanted) return READY;
  return waiting(
    `Waiting for app ReplicaSet to be available (${Math.min(available, updated)}/${wanted} Pods available)`,
    available < wanted
      ? "Minimum number of live Pods was not attained"
      : "Attempted to roll forward to new ReplicaSet, but minimum number of Pods did not become live",
  );
}

function statefulSet(object: KubeObject): Verdict {
  const wanted = numberAt(object, ["spec", "replicas"], 1);
  const [ready = 0, updated = 0] = ["readyReplicas", "updatedReplicas"].map((field) =>
    numberAt(object, ["status", field], 0),
  );
  const rolls = stringAt(object, "spec", "updateStrategy", "type") !== "OnDelete";
  const partition = numberAt(object, ["spec", "updateStrategy", "rollingUpdate", "partition"], 0);
  if (isStale(object) || ready < wanted || (rolls && updated < wanted - partition)) {
    const status =
      numberAt(object, ["metadata", "generation"], 1) <= 1
        ? "[1/2] Waiting for StatefulSet to create Pods"
        : "[1/3] Waiting for StatefulSet update to roll out";
    return waiting(
      `${status} (${ready}/${wanted} Pods ready)`,
      `${ready} out of ${wanted} replicas succeeded readiness checks`,
    );
  }
  const [current, update] = ["currentRevision", "updateRevision"].map((field) =>
    stringAt(object, "status", field),
  );
  if (current === update || !rolls || partition > 0 || wanted === 0) return READY;
  return waiting(
    "[2/3] Waiting for StatefulSet to update .status.currentRevision",
    `StatefulSet controller failed to advance from revision "${current}" to revision "${update}"`,
  );
}

function job(object: KubeObject): Verdict {
  const failed = condition(object, "Failed");
  if (stringAt(failed, "status") === "True") {
    const why = `[${stringAt(failed, "reason")}] ${stringAt(failed, "message")}`;
    return { is: "failed", missing: [why] };
  }
  if (stringAt(condition(object, "Complete"), "status") === "True") return READY;
  if (at(object, "spec", "suspend") === true) return READY;
  const [active, succeeded, ended] = ["active", "succeeded", "failed"].map((field) =>
    numberAt(object, ["status", field], 0),
  );
  return waiting(
    `Waiting for Job "${nameOf(object)}" to succeed (Active: ${active} | Succeeded: ${succeeded} | Failed: ${ended})`,
  );
}

function pod(object: KubeObject): Verdict {
  const ready = condition(object, "Ready");
  const isOver = stringAt(object, "status", "phase") === "Succeeded";
  if (isOver || stringAt(ready, "status") === "True") return READY;
  return waiting(`Waiting for Pod "${nameOf(object)}" to be ready`, ...podTroubles(object));
}

/** Why a pod is not ready, as a reason of an error; nothing where it says nothing. */
export function podTroubles(object: KubeObject): string[] {
  const ready = condition(object, "Ready");
  if (stringAt(ready, "status") === "True") return [];
  const containers = listAt(object, "status", "containerStatuses").flatMap((status) => {
    const wait = at(status, "state", "waiting");
    const reason = stringAt(wait, "reason");
    if (reason !== undefined && reason !== "ContainerCreating")
      return [`[${reason}] ${stringAt(wait, "message") ?? ""}`];
    const ended = at(status, "state", "terminated") ?? at(status, "lastState", "terminated");
    if (ended === undefined) return [];
    return [`container "${stringAt(status, "name")}" completed with exit code ${at(ended, "exitCode")}`];
  });
  const message = `${stringAt(ready, "message") ?? ""}${containers.join("\n")}`;
  return message === "" ? [] : [`[Pod ${nameOf(object)}]: ${message}`];
}

/** The controller has not seen the object's latest version yet, so its status speaks of an older one. */
function isStale(object: KubeObject): boolean {
  const seen = numberAt(object, ["status", "observedGeneration"], 0);
  return seen < numberAt(object, ["metadata", "generation"], 0);
}

function condition(object: KubeObject, type: string): Json | undefined {
  return listAt(object, "status", "conditions").find((entry) => stringAt(entry, "type") === type);
}

function nameOf({ metadata }: KubeObject): string {
  return `${metadata.namespace}/${metadata.name}`;
}
