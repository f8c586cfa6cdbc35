/** What people ask for, written as they would: ten programs, and five of them again as a team's file. */
import { cp, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { PulumiFn } from "@pulumi/pulumi/automation/index.js";
import { describe, expect, it } from "vitest";
import { program as stackProgram } from "../../packages/drawbridge/src/stacks/program/index.ts";
import { readPreview } from "../../packages/guard/src/index.ts";
import { silentProgress } from "../../packages/lab/src/progress.ts";
import { inlineStack, pulumiTools } from "../../packages/lab/src/pulumi.ts";
import { unreachableKubeconfig } from "../../scripts/lib/engine/engine.ts";
import { previewJson } from "../support/engine/guard.ts";

/** The objects of a preview by their logical names. */
type Objects = ReadonlyMap<string, Readonly<Record<string, never>>>;

const key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAICOp7m/T0uXYQbLaxCyYOBnH+nILl2oMszTc7NNkhxbN alice\n";
const folder = "test/programs";

interface Pod {
  readonly metadata: {
    readonly labels: Record<string, string>;
    readonly annotations: Record<string, string>;
  };
  readonly spec: Record<string, unknown> & {
    readonly containers: readonly Record<string, unknown>[];
    readonly initContainers: readonly { name: string; restartPolicy?: string }[];
    readonly volumes: readonly { name: string }[];
  };
}

const set = (objects: Objects) =>
  (objects.get("dev1-workload") as { spec?: { replicas: number; template: Pod } } | undefined)?.spec;
const pod = (objects: Objects) => set(objects)?.template;
const podSpec = (objects: Objects): Record<string, unknown> => pod(objects)?.spec ?? {};
const main = (objects: Objects) => pod(objects)?.spec.containers[0];

/** What each need comes to, in the objects that are made. */
const needs: Record<string, [seen: (objects: Objects) => unknown, expected: unknown]> = {
  "image-and-secret": [
    (objects) => [main(objects)?.image, Object.keys(objects.get("pull") ?? {}).includes("data")],
    ["registry.example.com/team/built:1.0.1", true],
  ],
  "place-and-size": [
    (objects) => {
      const { nodeSelector, tolerations, topologySpreadConstraints } = podSpec(objects);
      return [
        main(objects)?.resources,
        nodeSelector,
        tolerations,
        (topologySpreadConstraints as unknown[]).length,
      ];
    },
    [
      { requests: { cpu: "500m", memory: "4Gi" }, limits: { memory: "8Gi" } },
      { "example.com/pool": "dev" },
      [{ key: "example.com/dev", operator: "Exists", effect: "NoSchedule" }],
      1,
    ],
  ],
  queue: [
    (objects) => [
      pod(objects)?.metadata.labels["kueue.x-k8s.io/queue-name"],
      pod(objects)?.metadata.annotations["cost.example.com/center"],
    ],
    ["team-a", "4711"],
  ],
  volumes: [
    (objects) => pod(objects)?.spec.volumes.filter(({ name }) => ["mount-0", "vault"].includes(name)),
    [
      { name: "mount-0", persistentVolumeClaim: { claimName: "datasets" } },
      {
        name: "vault",
        csi: {
          driver: "secrets-store.csi.k8s.io",
          readOnly: true,
          volumeAttributes: { secretProviderClass: "team-a" },
        },
      },
    ],
  ],
  sidecar: [
    (objects) => pod(objects)?.spec.initContainers.map(({ name, restartPolicy }) => [name, restartPolicy]),
    [
      ["home-folder", undefined],
      ["clone", undefined],
      ["database", "Always"],
    ],
  ],
  "cloud-identity": [
    (objects) => {
      const { metadata } = objects.get("dev1-service-account") as unknown as {
        metadata: { annotations: Record<string, string> };
      };
      const { serviceAccountName, automountServiceAccountToken } = podSpec(objects);
      return [
        metadata.annotations["eks.amazonaws.com/role-arn"],
        serviceAccountName,
        automountServiceAccountToken,
      ];
    },
    ["arn:aws:iam::123456789012:role/team-a", "dev1", false],
  ],
  patches: [
    (objects) => {
      const { metadata } = objects.get("dev1-home") as unknown as {
        metadata: { labels: Record<string, string> };
      };
      return [pod(objects)?.spec.dnsConfig, metadata.labels["backup.example.com/plan"]];
    },
    [{ searches: ["corp.example.com"] }, "nightly"],
  ],
  people: [
    (objects) => objects.get("dev1-authorized-keys")?.data,
    { authorized_keys: `# bob has no key\n# group:ml has 1 key\n${key}` },
  ],
  off: [(objects) => set(objects)?.replicas, 0],
  "access-groups": [
    (objects) => objects.get("dev1-sshpod-binding")?.subjects,
    [{ apiGroup: "rbac.authorization.k8s.io", kind: "Group", name: "oidc:ml" }],
  ],
};

const files = await readdir(folder);
const named = (ending: string) =>
  files.filter((file) => file.endsWith(ending)).map((file) => file.slice(0, -ending.length));
const programs = named(".ts").filter((name) => name !== "base");
const teams = named(".yaml");

/** What a preview with the real CLI would make, with no cluster in reach. */
async function previewed(
  program: (workDir: string) => PulumiFn,
  config: string,
  team?: string,
): Promise<Objects> {
  const workDir = await mkdtemp(join(tmpdir(), "drawbridge-program-"));
  try {
    await writeFile(join(workDir, "Pulumi.yaml"), `name: drawbridge\nruntime: nodejs\n`);
    if (team !== undefined) await cp(team, join(workDir, "Pulumi.need.yaml"));
    const stack = await inlineStack(await pulumiTools(silentProgress), {
      stack: "need",
      project: "drawbridge",
      program: program(workDir),
      workDir,
      backend: join(workDir, "backend"),
      passphrase: "only for tests",
      env: { KUBECONFIG: join(workDir, "kubeconfig"), PULUMI_K8S_KUBECONFIG: unreachableKubeconfig },
    });
    await stack.setConfig(config, { value: "only-for-tests-0123456789abcdef0123456789abcdef", secret: true });
    const changes = readPreview(await previewJson(stack));
    return new Map(
      changes
        .filter(({ type }) => type.startsWith("kubernetes:"))
        .map(({ name, after }) => [name, after as Record<string, never>]),
    );
  } finally {
    await rm(workDir, { recursive: true, force: true });
  }
}

describe("needs", () => {
  it("are all tested, half of them also in YAML", () => {
    expect(programs.sort()).toEqual(Object.keys(needs).sort());
    expect(teams.sort()).toEqual(["off", "patches", "people", "queue", "sidecar"]);
  });

  it.each(programs)("%s, in a program", async (name) => {
    const { default: run } = (await import(`../programs/${name}.ts`)) as { default: () => void };
    const objects = await previewed(() => async () => run(), "drawbridge:hostKeySeed");
    const [seen, expected] = needs[name] as (typeof needs)[string];
    expect(seen(objects)).toEqual(expected);
  });

  it.each(teams)("%s, in a team's file", async (name) => {
    const program = (workDir: string) => () => stackProgram(workDir);
    const objects = await previewed(program, "drawbridge:hostKeySeed", join(folder, `${name}.yaml`));
    const [seen, expected] = needs[name] as (typeof needs)[string];
    expect(seen(objects)).toEqual(expected);
  });
});
