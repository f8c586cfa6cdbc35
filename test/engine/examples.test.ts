/** Every example previews with no cluster reachable, shows no secret, and is what its README says. */
import { readFileSync } from "node:fs";
import type { PulumiFn } from "@pulumi/pulumi/automation/index.js";
import { describe, expect, it } from "vitest";
import { readPreview } from "../../packages/guard/src/index.ts";
import {
  type DigestResource,
  type KeptSecrets,
  keepSecrets,
  pretendUp,
} from "../../scripts/lib/engine/digest.ts";
import { noCluster, testStack } from "../../scripts/lib/engine/engine.ts";
import { exampleNames } from "../../scripts/lib/pages/example-names.ts";
import { previewJson } from "../support/engine/guard.ts";
import {
  exampleConfig,
  exampleSecrets,
  examples,
  needsPlatform,
  platformBeside,
} from "../support/pages/examples.ts";

async function opened(name: string, kept?: KeptSecrets) {
  const program: PulumiFn = async () => {
    if (kept !== undefined) keepSecrets(kept);
    return examples[name]?.() as Record<string, unknown>;
  };
  const { stack, removeState } = await testStack(program, { env: noCluster });
  await stack.setAllConfig(exampleConfig, true);
  if (needsPlatform(name)) await platformBeside(stack);
  return { stack, removeState };
}

/** In a lab, and previewed again there: test/long/examples and existing-examples. */
const broughtUp = ["dev-container-any-image", "existing-service", "sandbox", "storage"];

describe("examples", () => {
  it("are all tested here", () => {
    expect(exampleNames).toEqual(Object.keys(examples).sort());
  });

  it.each(Object.keys(examples))("%s previews without a cluster and without a secret", async (name) => {
    const { stack, removeState } = await opened(name);
    try {
      const output: string[] = [];
      const { changeSummary } = await stack.preview({ diff: true, onOutput: (text) => output.push(text) });
      expect(Object.keys(changeSummary)).toEqual(["create"]);
      for (const secret of Object.values(exampleSecrets)) expect(output.join("")).not.toContain(secret);
      expect(output.join("")).not.toMatch(/PRIVATE KEY/);
    } finally {
      await removeState();
    }
  });

  it.each(Object.keys(examples).filter((name) => !broughtUp.includes(name)))(
    "%s is the same when it is previewed again",
    async (name) => {
      const kept: KeptSecrets = new Map();
      const { stack, removeState } = await opened(name, kept);
      try {
        const partly = await pretendUp(stack, kept);
        const changes = readPreview(await previewJson(stack));
        const whole = changes.filter(({ urn }) => !partly.has(urn));
        // What another stack gives out is read each time.
        expect(
          whole.filter(({ op }) => op !== "same" && op !== "read").map(({ op, urn }) => `${op} ${urn}`),
        ).toEqual([]);
        expect(whole.length).toBeGreaterThan(10);
      } finally {
        await removeState();
      }
    },
  );

  it.each(Object.keys(examples))("%s asks for no other configuration than its README sets", (name) => {
    const program = readFileSync(`examples/${name}/index.ts`, "utf8");
    const asked = [...program.matchAll(/config\.require\w*(?:<[^>]*>)?\("(\w+)"\)/g)].map(
      (match) => match[1],
    );
    const readme = readFileSync(`examples/${name}/README.md`, "utf8");
    const set = [...readme.matchAll(/pulumi config set (?:--\w+ )*'?(\w+)/g)].map((match) => match[1]);
    expect(asked.filter((one) => !set.includes(one))).toEqual([]);
  });
});

describe("a component in existing code", () => {
  it("honours provider, parent, transforms and protect", async () => {
    const { stack, removeState } = await opened("existing-code");
    try {
      const raw = (await previewJson(stack)).split("\n").map((line) => JSON.parse(line));
      const changes = readPreview(raw.map((event) => JSON.stringify(event)).join("\n"));
      const alice = changes.find(({ name, type }) => name === "alice" && type.startsWith("drawbridge:"));
      expect(alice?.component).toEqual({ type: "example:index:Tenant", name: "research" });

      const provider = new Map<string, string>();
      const isProtected = new Map<string, boolean>();
      for (const { resourcePreEvent } of raw) {
        const state = resourcePreEvent?.metadata.new;
        if (state === undefined || state === null) continue;
        const name = state.urn.split("::").at(-1);
        provider.set(name, String(state.provider).split("::").at(-2) ?? "");
        isProtected.set(name, state.protect ?? false);
      }
      expect(provider.get("alice-workload")).toBe("east");
      expect(provider.get("bob-workload")).toBe("west");
      expect(provider.get("ssh-west-proxy")).toBe("west");
      expect(isProtected.get("ssh-west-proxy")).toBe(true);
      expect(isProtected.get("bob-workload")).toBe(false);

      // Known in a preview, of a child that does not exist yet.
      const alarm = changes.find(({ name }) => name === "ssh-west-alarm")?.after;
      expect(alarm).toMatchObject({
        metadata: { namespace: "ssh-ingress" },
        spec: {
          groups: [
            { rules: [{ expr: 'kube_deployment_status_replicas_available{deployment="ssh-ingress"} < 1' }] },
          ],
        },
      });

      const labels = (name: string) => {
        const inputs = changes.find((change) => change.name === name)?.after as {
          metadata: { labels: Record<string, string> };
        };
        return inputs.metadata.labels["example.com/team"];
      };
      expect([labels("alice-workload"), labels("alice-service"), labels("bob-workload")]).toEqual([
        "research",
        "research",
        undefined,
      ]);
      // The home that exists is nobody's to make.
      expect(changes.filter(({ name }) => name === "alice-home")).toEqual([]);
      expect(changes.filter(({ name }) => name === "bob-home").map(({ op }) => op)).toEqual(["create"]);
    } finally {
      await removeState();
    }
  });

  it("honours aliases: a renamed component that got another parent keeps its objects", async () => {
    const kept: KeptSecrets = new Map();
    const { stack, removeState } = await opened("existing-code", kept);
    try {
      await pretendUp(stack, kept, calledWorkbench);
      const changes = readPreview(await previewJson(stack));
      const alices = changes.filter(
        ({ name, type }) => /^alice\b/.test(name) && type.startsWith("kubernetes:"),
      );
      expect(alices.map(({ op, name }) => `${op} ${name}`).sort()).toEqual(
        ["authorized-keys", "disruption", "host-key", "network", "route", "service", "sshd", "workload"].map(
          (object) => `same alice-${object}`,
        ),
      );
      expect(changes.filter(({ op }) => op !== "same" && op !== "update")).toEqual([]);
    } finally {
      await removeState();
    }
  });
});

/** As the program was when alice's container was called "workbench" and had no parent. */
function calledWorkbench(resources: DigestResource[]): DigestResource[] {
  const stack = resources.find(({ type }) => type === "pulumi:pulumi:Stack")?.urn ?? "";
  const text = JSON.stringify(resources)
    .replaceAll("example:index:Tenant$drawbridge:index:DevContainer", "drawbridge:index:DevContainer")
    .replaceAll(/::alice(?=[-"])/g, "::workbench");
  return (JSON.parse(text) as DigestResource[]).map((resource) =>
    resource.urn.endsWith("drawbridge:index:DevContainer::workbench")
      ? { ...resource, parent: stack }
      : resource,
  );
}
