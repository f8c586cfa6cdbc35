/** Where a container runs, judged by the real scheduler over simulated nodes. */

import type { DevContainerInput } from "@drawbridge-iac/drawbridge/src/dev-container/args";
import { devContainerSchema } from "@drawbridge-iac/drawbridge/src/dev-container/args-checks";
import { planDevContainer } from "@drawbridge-iac/drawbridge/src/dev-container/plan";
import { statefulSet } from "@drawbridge-iac/drawbridge/src/dev-container/stateful-set";
import { parseArgs } from "@drawbridge-iac/drawbridge/src/kit/args-error";
import type { Manifest } from "@drawbridge-iac/drawbridge/src/kubernetes/manifest";
import { storageAccessorSchema } from "@drawbridge-iac/drawbridge/src/storage-accessor/args-checks";
import { fileServerDeployment } from "@drawbridge-iac/drawbridge/src/storage-accessor/deployment";
import { planStorage } from "@drawbridge-iac/drawbridge/src/storage-accessor/plan";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { apply, eventually, getObject, kubectl } from "../../scripts/lib/lab/lab.ts";
import {
  beat,
  type SimulatedNode,
  simulatedTaint,
  startNodes,
  stopNodes,
} from "../support/lab/simulated-nodes.ts";

const namespace = "team-place";
const zone = (name: string) => ({ "topology.kubernetes.io/zone": name });
const gpuTaint = { key: "nvidia.com/gpu", effect: "NoSchedule" };
const filesTaint = { key: "files", effect: "NoSchedule" };
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
  "sim-files-1": { labels: { pool: "files", number: "1" }, taints: [filesTaint] },
  "sim-files-2": { labels: { pool: "files", number: "2" }, taints: [filesTaint] },
};

const modes: Record<string, string> = { alone: "ReadWriteOncePod", files: "ReadWriteOnce" };

/** Volumes that are there already, one that is only in zone eu-1a. */
function volume(name: string, only?: string) {
  const place = [{ key: "topology.kubernetes.io/zone", operator: "In" as const, values: [only] }];
  const size = { storage: "1Gi" };
  const accessModes = [modes[name] ?? "ReadWriteMany"];
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
  await apply(space);
  const names = ["shared", "alone", "files"];
  await apply(...names.flatMap((name) => volume(name)), ...volume("in-1a", "eu-1a"));
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
  const parsed = parseArgs("DevContainer", name, devContainerSchema, {
    namespace,
    image: "devcontainer:1",
    ssh: { mode: "none" },
    home: { claimName: "shared" },
    ...args,
    scheduling: {
      ...args.scheduling,
      tolerations: [simulatedTaint, ...(args.scheduling?.tolerations ?? [])],
      nodeSelector: { "drawbridge.dev/simulated": "true", ...args.scheduling?.nodeSelector },
    },
  });
  return input(statefulSet(planDevContainer(name, parsed)), `statefulset.kubernetes.io/pod-name=${name}-0`);
}

/** The node of the one pod that `workload` gets, or why there is none. */
async function input(workload: Manifest, selector: string): Promise<string> {
  await beat(nodes);
  await apply(workload);
  return eventually(`the place of ${workload.metadata.name}`, async () => {
    const { items } = await getObject<{ items: Pod[] }>(["-n", namespace, "pods", "-l", selector]);
    const [pod] = items;
    const refused = pod?.status.conditions?.find(
      ({ type, status }) => type === "PodScheduled" && status === "False",
    );
    return pod?.spec.nodeName ?? refused?.message;
  });
}

const tolerations = [{ key: "nvidia.com/gpu", operator: "Exists" as const }];
const inZone = (zone: string) => ({
  nodeAffinity: {
    requiredDuringSchedulingIgnoredDuringExecution: {
      nodeSelectorTerms: [
        {
          matchExpressions: [{ key: "topology.kubernetes.io/zone", operator: "In" as const, values: [zone] }],
        },
      ],
    },
  },
});

describe("a container is placed", () => {
  it.each<[string, Partial<DevContainerInput>, string | RegExp]>([
    ["plain", {}, "sim-plain"],
    ["by-label", { scheduling: { nodeSelector: { pool: "dev" } } }, "sim-plain"],
    ["by-zone", { scheduling: { affinity: inZone("eu-1a"), tolerations } }, "sim-a100"],
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
    ["by-volume", { home: { claimName: "in-1a" }, scheduling: { tolerations } }, "sim-a100"],
    ["no-taint", { resources: { gpu: { count: 1 } } }, /untolerated taint/],
    [
      "too-many",
      { resources: { gpu: { count: 3 } }, scheduling: { tolerations } },
      /Insufficient nvidia\.com\/gpu/,
    ],
    ["too-large", { resources: { memory: "64Gi" }, scheduling: { tolerations } }, /Insufficient memory/],
    [
      "elsewhere",
      { home: { claimName: "in-1a" }, scheduling: { affinity: inZone("eu-1b"), tolerations } },
      /didn't match PersistentVolume's node affinity|volume node affinity conflict/,
    ],
  ])("%s", async (name, args, expected) => {
    const place = await placeOf(name, args);
    if (typeof expected === "string") expect(place).toBe(expected);
    else expect(place).toMatch(expected);
  });

  it("alone on a volume that only one pod may use", async () => {
    const args = { home: { claimName: "alone" } } satisfies Partial<DevContainerInput>;
    expect(await placeOf("first", args)).toBe("sim-plain");
    expect(await placeOf("second", args)).toMatch(/ReadWriteOncePod/);
  });
});

describe("a ReadWriteOnce storage", () => {
  const everywhere = [simulatedTaint, { key: "files", operator: "Exists" as const }];
  const from = { name: "files", namespace, claimName: "files" };
  const mounting = (args: Partial<DevContainerInput["scheduling"]> = {}) => ({
    storage: [{ from, mountPath: "/files" }],
    scheduling: {
      tolerations: [{ key: "files", operator: "Exists" as const }],
      ...args,
      nodeSelector: { pool: "files", ...args.nodeSelector },
    },
  });

  it("keeps its file server and whoever mounts it on one of two nodes, and tells whoever cannot be there", async () => {
    const nodeSelector = { pool: "files" };
    const accessor = {
      proxy: { name: "web", namespace: "web" },
      credentials: [{ user: "a", password: "only-for-tests" }],
    };
    const scheduling = { nodeSelector, tolerations: everywhere };
    const args = { namespace, claimName: "files", scheduling, browse: accessor };
    const plan = planStorage("files", parseArgs("StorageAccessor", "files", storageAccessorSchema, args));
    const deployment = fileServerDeployment(plan, plan.fileServer ?? expect.fail("no file server"), {});
    const node = await input(deployment, "drawbridge.dev/role=accessor");
    expect(node).toMatch(/^sim-files-[12]$/);
    const other = node === "sim-files-1" ? "2" : "1";

    expect(await placeOf("mounts-1", mounting())).toBe(node);
    expect(await placeOf("mounts-2", mounting())).toBe(node);
    expect(await placeOf("mounts-other", mounting({ nodeSelector: { number: other } }))).toMatch(
      /didn't match pod affinity rules/,
    );
    // The twin without the storage goes there.
    expect(await placeOf("without", { ...mounting({ nodeSelector: { number: other } }), storage: [] })).toBe(
      `sim-files-${other}`,
    );
  });
});
