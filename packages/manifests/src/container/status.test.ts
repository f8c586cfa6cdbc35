import { describe, expect, it } from "vitest";
import { containerStatus, type PodReport } from "./status.ts";

const scheduled = { type: "PodScheduled", status: "True" };
const running = { name: "dev", ready: true, started: true };
const waiting = (reason: string, message = "") => ({
  name: "dev",
  ready: false,
  started: false,
  state: { waiting: { reason, message } },
});

/** Phase and the conditions that hold. */
const summary = (pod: PodReport | undefined) => {
  const { phase, conditions } = containerStatus(pod);
  return [phase, ...conditions.filter(({ status }) => status).map(({ type }) => type)];
};

describe("containerStatus", () => {
  it.each<[string, PodReport | undefined, string[]]>([
    ["no pod", undefined, ["Absent"]],
    [
      "a pod without a node",
      { status: { conditions: [{ type: "PodScheduled", status: "False" }] } },
      ["Pending"],
    ],
    [
      "a pod that pulls its image",
      { status: { conditions: [scheduled], containerStatuses: [waiting("ContainerCreating")] } },
      ["Starting", "Scheduled"],
    ],
    [
      "a pod whose sshd does not listen yet",
      { status: { conditions: [scheduled], containerStatuses: [{ ...running, ready: false }] } },
      ["Starting", "Scheduled", "Started"],
    ],
    [
      "a pod that is ready",
      { status: { conditions: [scheduled], containerStatuses: [running] } },
      ["Ready", "Scheduled", "Started", "SshReady"],
    ],
    [
      "a pod whose image is not there",
      { status: { conditions: [scheduled], containerStatuses: [waiting("ImagePullBackOff")] } },
      ["Failing", "Scheduled"],
    ],
    [
      "a pod that is going",
      {
        metadata: { deletionTimestamp: "now" },
        status: { conditions: [scheduled], containerStatuses: [running] },
      },
      ["Stopping", "Scheduled", "Started"],
    ],
    [
      "a ready sidecar beside a crashing application",
      {
        status: {
          conditions: [scheduled],
          initContainerStatuses: [{ ...running, name: "sshd" }],
          containerStatuses: [waiting("CrashLoopBackOff")],
        },
      },
      ["Failing", "Scheduled", "SshReady"],
    ],
  ])("%s", (_, pod, expected) => {
    expect(summary(pod)).toEqual(expected);
  });

  it("is as ready without the way through frp, of which it tells", () => {
    const frpc = (started: boolean): PodReport => ({
      status: {
        conditions: [scheduled],
        initContainerStatuses: [{ name: "frpc", started }],
        containerStatuses: [running],
      },
    });
    expect(summary(frpc(true))).toEqual(["Ready", "Scheduled", "Started", "SshReady", "FrpcRunning"]);
    expect(summary(frpc(false))).toEqual(["Ready", "Scheduled", "Started", "SshReady"]);
  });

  it("says why", () => {
    const message = "0/3 nodes are available: 3 Insufficient nvidia.com/gpu.";
    const unscheduled = { type: "PodScheduled", status: "False", reason: "Unschedulable", message };
    expect(containerStatus({ status: { conditions: [unscheduled] } }).conditions[0]).toEqual({
      type: "Scheduled",
      status: false,
      reason: "Unschedulable",
      message,
    });
    const pull = {
      status: { conditions: [scheduled], containerStatuses: [waiting("ErrImagePull", "not found")] },
    };
    expect(containerStatus(pull).conditions[1]).toEqual({
      type: "Started",
      status: false,
      reason: "ErrImagePull",
      message: "container dev: not found",
    });
  });
});
