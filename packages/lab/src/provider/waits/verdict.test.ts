import { expect, test } from "vitest";
import type { JsonMap, KubeObject } from "../../kube/object.ts";
import { podTroubles, VERDICTS } from "./verdict.ts";

function objectOf(type: string, spec: JsonMap, status: JsonMap): KubeObject {
  const parts = type.split("/");
  return {
    apiVersion: parts.slice(0, -1).join("/"),
    kind: parts.at(-1)!,
    metadata: { name: "x", namespace: "team", generation: 2 },
    spec,
    status: { observedGeneration: 2, ...status },
  };
}
/** "ready", or what is waited for, or what is wrong. */
function verdict(type: string, spec: JsonMap, status: JsonMap) {
  const found = VERDICTS[type]!(objectOf(type, spec, status));
  return found.is === "ready" ? "ready" : found.missing;
}

const few = ["Minimum number of live Pods was not attained"];
const old = ["Attempted to roll forward to new ReplicaSet, but minimum number of Pods did not become live"];

test.each([
  [{}, { observedGeneration: 1, updatedReplicas: 1, availableReplicas: 1, replicas: 1 }, old],
  [{}, {}, few],
  [{ replicas: 2 }, { updatedReplicas: 2, replicas: 3, availableReplicas: 3 }, old],
  [{ replicas: 2 }, { updatedReplicas: 2, replicas: 2, availableReplicas: 1 }, few],
  [{ replicas: 2 }, { updatedReplicas: 2, replicas: 2, availableReplicas: 2 }, "ready"],
  [{ replicas: 0 }, {}, "ready"],
])("a Deployment with %j and %j", (spec, status, expected) => {
  expect(verdict("apps/v1/Deployment", spec, status)).toEqual(expected);
});

const onDelete = { updateStrategy: { type: "OnDelete" } };
test.each([
  [{}, { updatedReplicas: 1 }, ["0 out of 1 replicas succeeded readiness checks"]],
  [{}, { readyReplicas: 1 }, ["1 out of 1 replicas succeeded readiness checks"]],
  [
    {},
    { readyReplicas: 1, updatedReplicas: 1, currentRevision: "a", updateRevision: "b" },
    ['StatefulSet controller failed to advance from revision "a" to revision "b"'],
  ],
  [{}, { readyReplicas: 1, updatedReplicas: 1, currentRevision: "b", updateRevision: "b" }, "ready"],
  [onDelete, { readyReplicas: 1, currentRevision: "a", updateRevision: "b" }, "ready"],
  [{ replicas: 0 }, { currentRevision: "a", updateRevision: "b" }, "ready"],
])("a StatefulSet with %j and %j", (spec, status, expected) => {
  expect(verdict("apps/v1/StatefulSet", spec, status)).toEqual(expected);
});

const failed = { type: "Failed", status: "True", reason: "BackoffLimitExceeded", message: "too often" };
test.each([
  [{}, { succeeded: 0 }, []],
  [{}, { conditions: [{ type: "Complete", status: "True" }] }, "ready"],
  [{ suspend: true }, {}, "ready"],
  [{}, { conditions: [failed] }, ["[BackoffLimitExceeded] too often"]],
])("a Job with %j and %j", (spec, status, expected) => {
  expect(verdict("batch/v1/Job", spec, status)).toEqual(expected);
});

const hard = { services: "150", pods: "9" };
test.each([
  [{ hard }, {}, []],
  [{ hard }, { hard: { services: "150" } }, []],
  [{ hard }, { hard: { pods: "9", services: "150" } }, "ready"],
])("a ResourceQuota with %j and %j", (spec, status, expected) => {
  expect(verdict("v1/ResourceQuota", spec, status)).toEqual(expected);
});

const unready = { type: "Ready", status: "False", message: "containers with unready status: [c]" };
test.each([
  [{ phase: "Pending" }, []],
  [{ phase: "Running", conditions: [{ type: "Ready", status: "True" }] }, "ready"],
  [{ phase: "Succeeded" }, "ready"],
  [{ phase: "Running", conditions: [unready] }, [`[Pod team/x]: ${unready.message}`]],
])("a Pod with %j", (status, expected) => {
  expect(verdict("v1/Pod", {}, status)).toEqual(expected);
});

test("a pod says which of its containers waits for what, or how it ended", () => {
  const containerStatuses = [
    { name: "a", state: { waiting: { reason: "ImagePullBackOff", message: "Back-off" } } },
    { name: "b", state: { waiting: { reason: "ContainerCreating" } } },
    { name: "c", state: {}, lastState: { terminated: { exitCode: 3 } } },
  ];
  expect(podTroubles(objectOf("v1/Pod", {}, { conditions: [unready], containerStatuses }))).toEqual([
    `[Pod team/x]: ${unready.message}[ImagePullBackOff] Back-off\ncontainer "c" completed with exit code 3`,
  ]);
});
