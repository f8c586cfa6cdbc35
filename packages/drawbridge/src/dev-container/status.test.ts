import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ContainerPhase, type PodReport } from "./phase.ts";
import { containerStatus, podReading, type WorkloadReport, workloadReading } from "./status.ts";

const declared = { running: true, sleeps: false, hasSshd: true, hasFrpc: false };

const scheduled = { type: "PodScheduled", status: "True" };
const isReady = { type: "Ready", status: "True" };
const running = { name: "dev", ready: true, started: true };
const waits = (reason: string, message?: string) => ({
  ...{ name: "dev", ready: false, started: false },
  state: { waiting: { reason, ...(message === undefined ? {} : { message }) } },
});

type PodStatus = NonNullable<PodReport["status"]>;

/** A pod of the revision `new`, or of the one before it. */
const pod = (status: PodStatus, revision = "new", going = false): PodReport => ({
  metadata: {
    name: "dev1-0",
    namespace: "team-a",
    labels: { "controller-revision-hash": revision },
    ...(going ? { deletionTimestamp: "now" } : {}),
  },
  status,
});
const whole: PodStatus = { conditions: [scheduled, isReady], containerStatuses: [running] };
const hangs = (reason: string): PodStatus => ({
  conditions: [scheduled],
  containerStatuses: [waits(reason)],
});

const set = (counts: Partial<NonNullable<WorkloadReport["status"]>> = {}, replicas = 1): WorkloadReport => ({
  metadata: { generation: 2 },
  spec: { replicas },
  status: {
    ...{ observedGeneration: 2, replicas: 1, updatedReplicas: 1, readyReplicas: 1, updateRevision: "new" },
    ...counts,
  },
});
const none = { replicas: 0, updatedReplicas: 0, readyReplicas: 0 };

/** The phase and the reasons of each condition, once by the StatefulSet and once by the pod. */
function both(workload: WorkloadReport, one: PodReport | undefined, further: Partial<typeof declared> = {}) {
  return [workloadReading(workload), podReading(one, workload)].map((reading) => {
    const { phase, conditions } = containerStatus(reading, { ...declared, ...further });
    return [phase, ...conditions.map(({ reason }) => reason)].join(" ");
  });
}

describe("the status that a stack and the command show", () => {
  it.each<
    [string, WorkloadReport, PodReport | undefined, string, (string | undefined)?, Partial<typeof declared>?]
  >([
    ["ready", set(), pod(whole), "Ready Ready Listening"],
    ["switched off", set(none, 0), undefined, "Off SwitchedOff SwitchedOff", undefined, { running: false }],
    [
      "switched off, its pod still going",
      set({ updatedReplicas: 0 }, 0),
      pod(whole, "new", true),
      "Off SwitchedOff SwitchedOff",
      undefined,
      { running: false, sleeps: true },
    ],
    ["asleep", set(none, 0), undefined, "Asleep Asleep Asleep", undefined, { sleeps: true }],
    ["scaled to none", set(none, 0), undefined, "Starting NoPod NoPod"],
    ["waking", set(none, 1), undefined, "Starting NoPod NoPod", undefined, { sleeps: true }],
    ["without a pod", set(none), undefined, "Starting NoPod NoPod"],
    [
      "not yet seen by the controller",
      set({ observedGeneration: 1 }),
      pod(whole),
      "Starting Unseen Unseen",
      "Starting Unseen Listening",
    ],
    [
      "replaced",
      set({ updatedReplicas: 0 }),
      pod(whole, "old", true),
      "Starting OldPod OldPod",
      "Starting Stopping Stopping",
    ],
    [
      "ready, of an earlier specification",
      set({ updatedReplicas: 0 }),
      pod(whole, "old"),
      "Starting OldPod OldPod",
      "Starting OldPod Listening",
    ],
    [
      "stuck, of an earlier specification",
      set({ updatedReplicas: 0, readyReplicas: 0 }),
      pod(hangs("ImagePullBackOff"), "old"),
      "Starting OldPod OldPod",
      "Failing OldPod OldPod",
    ],
    [
      "without a node",
      set({ readyReplicas: 0 }),
      pod({ conditions: [{ type: "PodScheduled", status: "False", reason: "Unschedulable" }] }),
      "Starting NotReady NotReady",
      "Starting Unschedulable Unschedulable",
    ],
    [
      "with an image that is not there",
      set({ readyReplicas: 0 }),
      pod(hangs("ErrImagePull")),
      "Starting NotReady NotReady",
      "Failing ErrImagePull ErrImagePull",
    ],
    [
      "evicted",
      set({ readyReplicas: 0 }),
      pod({ phase: "Failed", reason: "Evicted", message: "the node was low on memory" }),
      "Starting NotReady NotReady",
      "Failing Evicted Evicted",
    ],
    ["pulling", set({ readyReplicas: 0 }), pod(hangs("ContainerCreating")), "Starting NotReady NotReady"],
    [
      "crashing beside an sshd of its own",
      set({ readyReplicas: 0 }),
      pod({ ...hangs("CrashLoopBackOff"), initContainerStatuses: [{ ...running, name: "sshd" }] }),
      "Starting NotReady NotReady",
      "Failing CrashLoopBackOff Listening",
    ],
    [
      "crashing because its memory is too small",
      set({ readyReplicas: 0 }),
      pod({
        containerStatuses: [
          {
            name: "main",
            state: { waiting: { reason: "CrashLoopBackOff" } },
            lastState: { terminated: { reason: "OOMKilled" } },
          },
        ],
      }),
      "Starting NotReady NotReady",
      "Failing OOMKilled OOMKilled",
    ],
    [
      "ready with frpc",
      set(),
      pod({ ...whole, initContainerStatuses: [{ name: "frpc", started: true }] }),
      "Ready Ready Listening Running",
      undefined,
      { hasFrpc: true },
    ],
    [
      "ready but for frpc",
      set({ readyReplicas: 0 }),
      pod({
        conditions: [scheduled],
        containerStatuses: [running],
        initContainerStatuses: [{ name: "frpc", started: false }],
      }),
      "Starting NotReady NotReady NotReady",
      "Starting NotReady Listening NotReady",
      { hasFrpc: true },
    ],
    ["ready without sshd", set(), pod(whole), "Ready Ready", undefined, { hasSshd: false }],
  ])("%s", (_, workload, one, stack, command = stack, further = {}) => {
    expect(both(workload, one, further)).toEqual([stack, command]);
  });

  it("of a new StatefulSet, whose count of no pods means nothing until its controller has seen it", () => {
    const { spec: _, ...fresh } = set({ observedGeneration: 0, ...none });
    for (const workload of [{}, fresh]) {
      expect(both(workload, undefined, { sleeps: true })[0]).toBe("Starting Unseen Unseen");
    }
  });

  it("of a state without generations", () => {
    expect(both({ status: { ...set().status } }, pod(whole))[0]).toBe("Ready Ready Listening");
  });

  it("has every phase, and none that is not in the list", () => {
    const readings = [set(), set(none)].map(workloadReading);
    const failing = podReading(pod(hangs("StartError")), set());
    const phases = [...readings, failing].flatMap((reading) =>
      [true, false].flatMap((running) =>
        [true, false].map((sleeps) =>
          containerStatus({ ...reading, wanted: !sleeps }, { ...declared, running, sleeps }),
        ),
      ),
    );
    expect([...new Set(phases.map(({ phase }) => phase))].sort()).toEqual(Object.keys(ContainerPhase).sort());
  });

  it("never differs in whether it is ready", () => {
    const pods = fc.record({
      revision: fc.constantFrom("old", "new"),
      going: fc.boolean(),
      status: fc.constantFrom(whole, hangs("ImagePullBackOff"), hangs("ContainerCreating")),
    });
    const situations = fc.record({
      there: fc.option(pods, { nil: undefined }),
      seen: fc.boolean(),
      replicas: fc.constantFrom(0, 1),
      further: fc.record({ running: fc.boolean(), sleeps: fc.boolean() }),
    });
    fc.assert(
      fc.property(situations, ({ there, seen, replicas, further }) => {
        // As the controller counts: a pod that is going is no updated one, but may be a ready one.
        const workload = set(
          {
            observedGeneration: seen ? 2 : 1,
            replicas: there === undefined ? 0 : 1,
            updatedReplicas: there?.revision === "new" && !there.going ? 1 : 0,
            readyReplicas: there?.status === whole ? 1 : 0,
          },
          replicas,
        );
        const one = there && pod(there.status, there.revision, there.going);
        const phases = both(workload, one, further).map((text) => text.split(" ")[0]);
        const known = phases[0] === "Starting" && phases[1] === "Failing" ? ["Failing", "Failing"] : phases;
        expect(known[0]).toBe(known[1]);
      }),
    );
  });
});

describe("the pod alone", () => {
  it("tells the phase as far as it can", () => {
    const told = (one: PodReport | undefined, further: Partial<typeof declared> = {}) =>
      containerStatus(podReading(one), { ...declared, ...further }).phase;
    expect(told(pod(whole, "old"))).toBe("Ready");
    expect(told(undefined)).toBe("Starting");
    expect(told(undefined, { sleeps: true })).toBe("Asleep");
    expect(told(pod(hangs("InvalidImageName")))).toBe("Failing");
  });
});

describe("the message", () => {
  const message = (workload: WorkloadReport, status: PodStatus, revision?: string) =>
    containerStatus(podReading(pod(status, revision), workload), declared).conditions[0]?.message;

  it("of a stuck pod of an earlier specification says how to be rid of it", () => {
    expect(message(set(), hangs("ImagePullBackOff"), "old")).toBe(
      "the pod is of an earlier specification (ImagePullBackOff of container dev: no more is known; check the image's name in the stack, its registry, and the pull secret); if it stays: kubectl -n team-a delete pod dev1-0",
    );
    expect(message(set(), whole, "old")).toBe(
      "the pod is of an earlier specification; if it stays: kubectl -n team-a delete pod dev1-0",
    );
  });

  it("of a pod that waits for a human names the cure, also after an up that was stopped", () => {
    const pull = { conditions: [scheduled], containerStatuses: [waits("ErrImagePull", "not found")] };
    expect(message(set(), pull)).toBe(
      "ErrImagePull of container dev: not found; check the image's name in the stack, its registry, and the pull secret; if it is right there, an up was stopped: pulumi up --refresh",
    );
  });

  it("of a pod without a node is the scheduler's, without preemption", () => {
    const said = "0/3 nodes are available: 3 Insufficient nvidia.com/gpu.";
    const more =
      " no new claims to deallocate, preemption: 0/3 nodes are available: 3 No preemption victims found.";
    const unscheduled = {
      ...{ type: "PodScheduled", status: "False" },
      ...{ reason: "Unschedulable", message: `${said}${more}` },
    };
    expect(message(set(), { conditions: [unscheduled] })).toBe(
      `no node takes it: ${said}; ask for less in the stack, or wait for a node`,
    );
  });

  it.each([
    [
      'pods "dev1-0" is forbidden: exceeded quota: team, requested: pods=1, used: pods=5, limited: pods=5',
      "ask for less in the stack, let another container sleep, or ask the platform's team for a larger quota",
    ],
    [
      "pods \"dev1-0\" is forbidden: ValidatingAdmissionPolicy 'x' with binding 'x' denied request: no",
      "mend what it names in the stack, or ask the platform's team",
    ],
    ["no PriorityClass with name high was found", "ask the platform's team"],
  ])("of a pod that is not made names the refusal and the cure: %s", (refusal, cure) => {
    const event = (reason: string, lastTimestamp: string, message: string) => ({
      reason,
      lastTimestamp,
      message,
    });
    const failed = event(
      "FailedCreate",
      "2026-01-01T00:00:02Z",
      `create Pod dev1-0 in StatefulSet dev1 failed error: ${refusal}`,
    );
    const earlier = event("SuccessfulCreate", "2026-01-01T00:00:01Z", "create Pod dev1-0 …");
    const later = event("SuccessfulCreate", "2026-01-01T00:00:03Z", "create Pod dev1-0 …");
    const condition = (...events: (typeof failed)[]) =>
      containerStatus(podReading(undefined, set(none), events), declared).conditions[0]?.message;
    expect(condition(failed, earlier)).toBe(`its pod cannot be made: ${refusal}; ${cure}`);
    expect(condition(earlier, later, failed)).toBe("the pod does not exist");
    expect(condition()).toBe("the pod does not exist");
  });
});
