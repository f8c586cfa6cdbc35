import { expect, it } from "vitest";
import { type WorkloadReport, workloadState } from "./workload-state.ts";

const whole = { observedGeneration: 2, replicas: 1, updatedReplicas: 1, readyReplicas: 1 };

it.each<[string, WorkloadReport, string]>([
  ["nothing reported yet", {}, "Pending 0 0"],
  ["a pod that is ready", { generation: 2, status: whole }, "Ready 1 1"],
  ["a pod that is not", { generation: 2, status: { ...whole, readyReplicas: 0 } }, "Starting 1 0"],
  [
    "a pod of the specification before that is still ready",
    { generation: 2, status: { ...whole, updatedReplicas: 0 } },
    "Starting 0 0",
  ],
  ["a change that no controller has seen", { generation: 3, status: whole }, "Starting 0 0"],
  ["a state without the count of changes", { status: whole }, "Ready 1 1"],
  ["no pod", { generation: 2, status: { observedGeneration: 2, replicas: 0 } }, "Starting 0 0"],
])("%s", (_, report, expected) => {
  const { phase, updatedPods, readyPods } = workloadState(report, true, false);
  expect(`${phase} ${updatedPods} ${readyPods}`).toBe(expected);
});

it("says what the stack and the sleep say first", () => {
  const none = { generation: 2, status: { observedGeneration: 2, replicas: 0 } };
  expect(workloadState({ generation: 2, status: whole }, false, false).phase).toBe("Off");
  expect(workloadState(none, true, true).phase).toBe("Asleep");
  expect(workloadState({ generation: 2, status: whole }, true, true).phase).toBe("Ready");
});
