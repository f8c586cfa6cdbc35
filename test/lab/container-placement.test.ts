/** Where a container runs, judged by the real scheduler over simulated nodes. */
import {
  type DevContainerInput,
  devContainerSchema,
  parseArgs,
  planDevContainer,
  statefulSet,
} from "@drawbridge-iac/manifests";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually, getObject, kubectl } from "../support/lab.ts";
import {
  beat,
  type SimulatedNode,
  simulatedTaint,
  startNodes,
  stopNodes,
} from "../support/simulated-nodes.ts";

const namespace = "team-place";
const zone = (name: string) => ({ "topology.kubernetes.io/zone": name });
const gpuTaint = { key: "nvidia.com/gpu", effect: "NoSchedule" };
const nodes: Record<string, SimulatedNode> = {
  "sim-a100": {
    labels: { ...zone("eu-1a"), "nvidia.com/gpu.product": "A100" },
    taints: [gpuTaint],
    resources: { "nvidia.com/gpu": "2" },
  },
  "sim-mig": {
    labels: { ...zone("eu-1b"), "nvidia.com/gpu.product": "A100-MIG" },
    taints: [gpuTaint],
    resources: { "nvidia.com/mig-1g.10gb": "7" },
  },
  "sim-plain": { labels: { ...zone("eu-1b"), pool: "dev" } },
};

/** Home volumes that are there already, one that is only in zone eu-1a. */
function volume(name: string, only?: string) {
  const place = [{ key: "topology.kubernetes.io/zone", operator: "In", values: [only] }];
  const size = { storage: "1Gi" };
  const accessModes = [name === "alone" ? "ReadWriteOncePod" : "ReadWriteMany"];
  return [
    {
      apiVersion: "v1",
      kind: "PersistentVolume",
      metadata: { name: `${namespace}-${name}`, labels: { test: namespace } },
      spec: {
        capacity: size,
        accessModes,
        hostPath: { path: "/nonexistent" },
        storageClassName: "",
        claimRef: { namespace, name },
        ...(only === undefined
          ? {}
          : { nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions: place }] } } }),
      },
    },
    {
      apiVersion: "v1",
      kind: "PersistentVolumeClaim",
      metadata: { name, namespace },
      spec: {
        accessModes,
        storageClassName: "",
        volumeName: `${namespace}-${name}`,
        resources: { requests: size },
      },
    },
  ];
}

beforeAll(async () => {
  await stopNodes();
  await startNodes(nodes);
  const space = { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } };
  await kubectl(["apply", "-f", "-"], JSON.stringify(space));
  const items = [...volume("shared"), ...volume("alone"), ...volume("in-1a", "eu-1a")];
  await kubectl(["apply", "-f", "-"], JSON.stringify({ apiVersion: "v1", kind: "List", items }));
});

afterAll(async () => {
  await kubectl(["delete", "namespace", namespace, "--wait=false"]);
  await kubectl([
    "-n",
    namespace,
    "delete",
    "pods",
    "--all",
    "--force",
    "--grace-period=0",
    "--ignore-not-found",
  ]);
  await kubectl(["delete", "pv", "-l", `test=${namespace}`, "--wait=false"]);
  await stopNodes();
});

interface Pod {
  spec: { nodeName?: string };
  status: { conditions?: { type: string; status: string; message?: string }[] };
}

/** The node on which the scheduler puts a container with these arguments, or why it finds none. */
async function placeOf(name: string, args: Partial<DevContainerInput>): Promise<string> {
  await beat(nodes);
  const parsed = parseArgs("DevContainer", name, devContainerSchema, {
    namespace,
    image: "devcontainer:1",
    sshd: { mode: "none" },
    home: { claim: "shared" },
    ...args,
    scheduling: {
      ...args.scheduling,
      tolerations: [simulatedTaint, ...(args.scheduling?.tolerations ?? [])],
      nodeSelector: { "drawbridge.dev/simulated": "true", ...args.scheduling?.nodeSelector },
    },
  });
  await kubectl(["apply", "-f", "-"], JSON.stringify(statefulSet(planDevContainer(name, parsed))));
  return eventually(`the place of ${name}`, async () => {
    const { spec, status } = await getObject<Pod>(["-n", namespace, "pod", `${name}-0`]);
    const refused = status.conditions?.find(
      ({ type, status }) => type === "PodScheduled" && status === "False",
    );
    return spec.nodeName ?? refused?.message;
  });
}

const tolerations = [{ key: "nvidia.com/gpu" }];

describe("a container is placed", () => {
  it.each<[string, Partial<DevContainerInput>, string | RegExp]>([
    ["plain", {}, "sim-plain"],
    ["by-label", { scheduling: { nodeSelector: { pool: "dev" } } }, "sim-plain"],
    ["by-zone", { scheduling: { zones: ["eu-1a"], tolerations } }, "sim-a100"],
    [
      "by-gpu",
      { resources: { gpu: { count: 1, product: "A100" } }, scheduling: { tolerations } },
      "sim-a100",
    ],
    [
      "by-mig",
      { resources: { gpu: { count: 3, resource: "nvidia.com/mig-1g.10gb" } }, scheduling: { tolerations } },
      "sim-mig",
    ],
    ["by-volume", { home: { claim: "in-1a" }, scheduling: { tolerations } }, "sim-a100"],
    ["no-taint", { resources: { gpu: { count: 1 } } }, /untolerated taint/],
    [
      "too-many",
      { resources: { gpu: { count: 3 } }, scheduling: { tolerations } },
      /Insufficient nvidia\.com\/gpu/,
    ],
    ["too-large", { resources: { memory: "64Gi" }, scheduling: { tolerations } }, /Insufficient memory/],
    [
      "elsewhere",
      { home: { claim: "in-1a" }, scheduling: { zones: ["eu-1b"], tolerations } },
      /didn't match PersistentVolume's node affinity|volume node affinity conflict/,
    ],
  ])("%s", async (name, args, expected) => {
    const place = await placeOf(name, args);
    if (typeof expected === "string") expect(place).toBe(expected);
    else expect(place).toMatch(expected);
  });

  it("alone on a volume that only one pod may use", async () => {
    const args = { home: { claim: "alone" } } satisfies Partial<DevContainerInput>;
    expect(await placeOf("first", args)).toBe("sim-plain");
    expect(await placeOf("second", args)).toMatch(/ReadWriteOncePod/);
  });
});
