/** The components through their plugin, as the engine and a program in another language reach them. */
import { DevContainer } from "@drawbridge-iac/drawbridge";
import * as pulumi from "@pulumi/pulumi";
import type { PulumiFn } from "@pulumi/pulumi/automation/index.js";
import { describe, expect, it } from "vitest";
import { type DigestResource, previewDigest } from "../support/digest.ts";
import { unreachableKubeconfig } from "../support/engine.ts";
import { containerBase } from "../support/field-edits/container-base.ts";
import { outputsOf, Remote, stackOf } from "../support/remote.ts";

const env = { PULUMI_K8S_KUBECONFIG: unreachableKubeconfig, KUBECONFIG: "/nonexistent" };

interface Planned extends DigestResource {
  readonly sourcePosition?: unknown;
  readonly stackTrace?: unknown;
  readonly dependencies?: readonly string[];
}

/** What a preview of a program plans, by URN. */
async function planned(program: PulumiFn, runtime = "nodejs"): Promise<Map<string, DigestResource>> {
  const { stack, remove } = await stackOf(runtime, program, { env });
  try {
    const digest = JSON.parse(await previewDigest(stack)) as { steps: { newState: Planned }[] };
    // Where in the program it stands is not the same, of course.
    return new Map(
      digest.steps.map(({ newState: { sourcePosition: _, stackTrace: __, ...planned } }) => [
        planned.urn,
        // In which order it depends on others means nothing.
        { ...planned, dependencies: [...(planned.dependencies ?? [])].sort() },
      ]),
    );
  } finally {
    await remove();
  }
}

/** What the engine says to a program that fails. */
async function failure(program: PulumiFn, runtime: string): Promise<string> {
  const { stack, remove } = await stackOf(runtime, program, { env });
  try {
    return await stack.preview().then(
      () => "it did not fail",
      (error: Error) => error.message,
    );
  } finally {
    await remove();
  }
}

const seed = () => pulumi.secret(containerBase.hostKey.seed);
const args = () => ({ ...containerBase, hostKey: { seed: seed() }, env: { LATER: pulumi.output("later") } });

describe("a component through the plugin", () => {
  it("makes the same objects, and gives the same outputs", async () => {
    const local = await planned(async () => {
      const made = new DevContainer("dev1", args());
      return Object.fromEntries(outputsOf("DevContainer").map((name) => [name, made[name as "url"]]));
    });
    const remote = await planned(async () => {
      const made = new Remote("DevContainer", "dev1", args()) as unknown as Record<string, unknown>;
      return Object.fromEntries(outputsOf("DevContainer").map((name) => [name, made[name]]));
    });
    expect([...remote.keys()].sort()).toEqual([...local.keys()].sort());
    expect(local.size).toBeGreaterThan(8);
    for (const [urn, resource] of local) expect([urn, remote.get(urn)]).toEqual([urn, resource]);
  });
});

describe("what is wrong", () => {
  const wrong = {
    ...containerBase,
    namespace: "Team A",
    hostKey: { seed: "Qx7vN" },
    authorizedKeys: ["nonsense"],
    imagePullPolicy: "Sometimes",
    homes: {},
  };

  it.each([
    ["nodejs", "authorizedKeys[0]", "hostKey.seed", "imagePullPolicy"],
    ["yaml", "authorizedKeys[0]", "hostKey.seed", "imagePullPolicy"],
    ["python", "authorized_keys[0]", "host_key.seed", "image_pull_policy"],
    ["go", "AuthorizedKeys[0]", "HostKey.Seed", "ImagePullPolicy"],
  ])("is said at once, as one text, with names as in %s", async (runtime, ...paths) => {
    const text = await failure(async () => {
      new Remote("DevContainer", "dev1", wrong);
    }, runtime);
    for (const path of paths) expect(text).toContain(`  - ${path}: `);
    expect(text).toContain('DevContainer "dev1": 5 faults in its arguments, nothing was created:');
    // The error of the plugin; behind it this program's own exception follows.
    const [said = ""] = /^ {4}error: drawbridge:[\s\S]*?(?=\n {4}error: |\n\n)/m.exec(text) ?? [];
    expect(said.split("\n").length).toBe(7);
    expect(said).not.toMatch(/^\s+at /m);
    expect(text).not.toContain("Qx7vN");
  });
});
