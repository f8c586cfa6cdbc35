import { containerStatus } from "@drawbridge-iac/manifests";
import { expect, it } from "vitest";
import { podState, podText } from "./pod-state.ts";

const scheduled = { type: "PodScheduled", status: "True" };
const unscheduled = { type: "PodScheduled", status: "False", reason: "Unschedulable", message: "no GPUs" };
const main = { name: "dev", ready: true, started: true };

it.each([
  ["nobody could ask", undefined, "-"],
  ["no pod", containerStatus(undefined), "Absent: NoPod"],
  ["a container switched off by its stack", containerStatus(undefined, false), "Off: SwitchedOff"],
  ["a container that sleeps", containerStatus(undefined, true, true), "Asleep"],
  ["one that sleeps and is switched off", containerStatus(undefined, false, true), "Off: SwitchedOff"],
  ["no node", containerStatus({ status: { conditions: [unscheduled] } }), "Pending: Unschedulable"],
  [
    "ready, with frpc away",
    containerStatus({
      status: {
        conditions: [scheduled],
        containerStatuses: [main],
        initContainerStatuses: [{ name: "frpc", started: false }],
      },
    }),
    "Ready",
  ],
])("says in a word or two that there is %s", (_, status, expected) => {
  expect(podText(status)).toBe(expected);
});

it.each([
  ["without a way over the Kubernetes API", []],
  ["where the API tells nothing", [{ way: "sshpod" as const, pod: "dev1-0", namespace: "team-a" }]],
])("%s it is known that a stack has switched its container off, and nothing else", async (_, ways) => {
  const target = { ways, namespace: "team-a", name: "dev1" };
  const nobody = () => Promise.reject(new Error("there is no kubeconfig"));
  expect(podText(await podState({ ...target, running: false } as never, nobody))).toBe("Off: SwitchedOff");
  expect(await podState(target as never, nobody)).toBeUndefined();
});
