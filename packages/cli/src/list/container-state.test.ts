import { eventsPath, type PodReport } from "@drawbridge-iac/drawbridge/src/dev-container/phase";
import type { DevContainerStatus, WorkloadReport } from "@drawbridge-iac/drawbridge/src/dev-container/status";
import { expect, it } from "vitest";
import { type Kube, KubeError } from "../sshpod/kube.ts";
import { phaseText, podState, whyNot } from "./container-state.ts";

const pod = (revision: string, further: object = {}): PodReport => ({
  metadata: { name: "dev1-0", namespace: "team-a", labels: { "controller-revision-hash": revision } },
  status: {
    conditions: [
      { type: "PodScheduled", status: "True" },
      { type: "Ready", status: "True" },
    ],
    containerStatuses: [{ name: "dev", ready: true, started: true }],
    ...further,
  },
});
const set = (replicas = 1): WorkloadReport => ({
  metadata: { generation: 1 },
  spec: { replicas },
  status: { observedGeneration: 1, updateRevision: "new" },
});

const way = { way: "sshpod" as const, pod: "dev1-0", namespace: "team-a" };
const target = { name: "dev1", namespace: "team-a", ways: [way] };

/** A cluster with this pod and this StatefulSet; a number in place of one is the status of a refusal. */
const cluster =
  (one: PodReport | number, workload: WorkloadReport | number, events: object | number = 403) =>
  async () =>
    ({
      get: async (path: string) => {
        const answers: Record<string, unknown> = {
          "/api/v1/namespaces/team-a/pods/dev1-0": one,
          "/apis/apps/v1/namespaces/team-a/statefulsets/dev1": workload,
          [eventsPath("team-a", "dev1")]: events,
        };
        const answer = answers[path];
        if (typeof answer === "number") throw new KubeError(answer, "no");
        return answer;
      },
    }) as never as Kube;
const noKubeconfig = () => Promise.reject(new Error("there is no kubeconfig"));

const told = (loadKube: () => Promise<Kube>, further: object = {}): Promise<DevContainerStatus | undefined> =>
  podState({ ...target, ...further } as never, loadKube);

it.each([
  ["ready", cluster(pod("new"), set()), {}, "Ready"],
  ["ready, as far as the pod alone shows", cluster(pod("old"), 403), {}, "Ready"],
  ["of an earlier specification", cluster(pod("old"), set()), {}, "Starting: OldPod"],
  ["not there", cluster(404, set()), {}, "Starting: NoPod"],
  ["refused", cluster(404, set(), { items: [{ reason: "FailedCreate" }] }), {}, "Failing: FailedCreate"],
  ["asleep", cluster(404, set(0)), { sleeps: true }, "Asleep"],
  ["waking", cluster(404, set()), { sleeps: true }, "Starting: NoPod"],
  ["asleep, as far as can be seen", cluster(404, 403), { sleeps: true }, "Asleep"],
  ["off", cluster(404, set(0)), { running: false }, "Off"],
  ["on again, which the laptop does not know yet", cluster(pod("new"), set()), { running: false }, "Ready"],
  ["off without a way over the Kubernetes API", noKubeconfig, { running: false, ways: [] }, "Off"],
  ["off where the API tells nothing", noKubeconfig, { running: false }, "Off"],
  ["in an unknown state, without rights", cluster(403, set()), {}, "-"],
  ["in an unknown state, without a kubeconfig", noKubeconfig, {}, "-"],
  ["in an unknown state, without a way there", noKubeconfig, { ways: [] }, "-"],
])("says in a word or two that a container is %s", async (_, loadKube, further, expected) => {
  expect(phaseText(await told(loadKube, further))).toBe(expected);
});

it("says why a container is not ready, and nothing of one that is asleep, ready or unknown", async () => {
  const waiting = { waiting: { reason: "ImagePullBackOff", message: "back-off" } };
  const stuck = pod("old", { conditions: [], containerStatuses: [{ name: "dev", state: waiting }] });
  expect(whyNot(await told(cluster(stuck, set())))?.message).toBe(
    "the pod is of an earlier specification (ImagePullBackOff of container dev: back-off; check the image's name in the stack, its registry, and the pull secret); if it stays: kubectl -n team-a delete pod dev1-0",
  );
  expect(whyNot(await told(cluster(pod("new"), set())))).toBeUndefined();
  expect(whyNot(await told(cluster(404, set(0)), { sleeps: true }))).toBeUndefined();
  expect(whyNot(undefined)).toBeUndefined();
});
