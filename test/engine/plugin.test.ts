/** The components through their plugin, as the engine and a program in another language reach them. */
import { DevContainer } from "@drawbridge-iac/drawbridge";
import * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import type { PulumiFn } from "@pulumi/pulumi/automation/index.js";
import { beforeAll, describe, expect, it } from "vitest";
import { containerBase } from "../../packages/drawbridge/src/host/base.trials.ts";
import {
  type KeptSecrets,
  keepSecrets,
  pretendUp,
  previewDigest,
  unknown,
} from "../../scripts/lib/engine/digest.ts";
import { noCluster, unreachableKubeconfig } from "../../scripts/lib/engine/engine.ts";
import {
  asEvents,
  outputsIn,
  outputsOf,
  plannedIn,
  Remote,
  stackOf,
} from "../../scripts/lib/engine/remote.ts";

const seed = () => pulumi.secret(containerBase.hostKey.seed);

type Make = (name: string, args: object, opts?: pulumi.ComponentResourceOptions) => pulumi.ComponentResource;
const inProgram: Make = (name, args, opts) => new DevContainer(name, args as never, opts);
const byPlugin: Make = (name, args, opts) => new Remote("DevContainer", name, args, opts);

/** A container with each option, and one with an output, a secret and its outputs. */
async function program(make: Make): Promise<pulumi.Inputs> {
  const base = { ...containerBase, hostKey: { seed: seed() } };
  const group = new pulumi.ComponentResource("test:index:Group", "group");
  const elsewhere = new k8s.Provider("elsewhere", { kubeconfig: unreachableKubeconfig });
  const parented = make("parented", base, { parent: group });
  make("protected", base, { protect: true });
  make("aliased", { ...base, name: "before" }, { aliases: [{ name: "before" }] });
  make("transformed", base, {
    transforms: [
      ({ type, props, opts }) =>
        type === "kubernetes:core/v1:Service"
          ? { props: { ...props, metadata: { ...props.metadata, annotations: { seen: "yes" } } }, opts }
          : undefined,
    ],
  });
  make("elsewhere", base, { providers: [elsewhere] });
  make("after", base, { dependsOn: [parented] });
  const whole = make("whole", { ...base, env: { LATER: pulumi.output("later") } });
  const found = whole as unknown as Record<string, unknown>;
  return Object.fromEntries(outputsOf("DevContainer").map((name) => [name, found[name]]));
}

/** What the program plans, by URN. Its stack has the container "before" and nothing else. */
async function planned(make: Make) {
  const kept: KeptSecrets = new Map();
  let run: PulumiFn = async () => {
    keepSecrets(kept);
    inProgram("before", { ...containerBase, hostKey: { seed: seed() } });
  };
  const { stack, remove } = await stackOf("nodejs", () => run(), { env: noCluster });
  try {
    await pretendUp(stack, kept);
    run = () => program(make);
    const outputs = outputsIn(await previewDigest(stack, asEvents));
    return { resources: plannedIn(await previewDigest(stack)) as Map<string, Resource>, outputs };
  } finally {
    await remove();
  }
}

interface Resource {
  readonly op: string;
  readonly provider?: string;
  readonly protect?: boolean;
  readonly dependencies: readonly string[];
  readonly inputs?: { readonly metadata?: { readonly annotations?: object } };
}

describe("a component through the plugin", () => {
  let local: Map<string, Resource>;
  let remote: Map<string, Resource>;
  let outputs: Map<string, object>[];
  /** The container of this name and what is in it, by the end of its URN. */
  const of = (name: string) =>
    [...remote].filter(([urn]) => new RegExp(`::${name}(-|$)`).test(urn)).map(([, resource]) => resource);

  beforeAll(async () => {
    const [inside, outside] = [await planned(inProgram), await planned(byPlugin)];
    local = inside.resources;
    remote = outside.resources;
    outputs = [inside.outputs, outside.outputs];
  });

  it("makes the same objects", () => {
    expect([...remote.keys()].sort()).toEqual([...local.keys()].sort());
    expect(local.size).toBeGreaterThan(50);
    // A program in TypeScript knows what is in the component that it waits for, and names each of those.
    const [parented = "", after = ""] = ["parented", "after"].map((name) =>
      [...local.keys()].find((urn) => urn.endsWith(`::${name}`)),
    );
    expect(local.get(after)?.dependencies.length).toBeGreaterThan(5);
    const expected = new Map(local).set(after, { ...local.get(after)!, dependencies: [parented] });
    for (const [urn, resource] of expected) expect([urn, remote.get(urn)]).toEqual([urn, resource]);
  });

  it("gives the same outputs, the component's and the stack's", () => {
    expect(outputs[0]?.size).toBeGreaterThan(6);
    // A preview through the plugin does not know yet that there is none of an output.
    const stack =
      [...(outputs[0]?.keys() ?? [])].find((urn) => urn.includes("::pulumi:pulumi:Stack::")) ?? "";
    const none = { frpCommand: unknown, url: unknown };
    expect(outputs[1]).toEqual(new Map(outputs[0]).set(stack, { ...outputs[0]?.get(stack), ...none }));
  });

  // That both plan the same says nothing of an option that does nothing in either.
  it("takes parent", () => {
    const inGroup = [...remote.keys()].filter((urn) => urn.includes("::test:index:Group$drawbridge:index:"));
    expect(inGroup.length).toBe(of("parented").length);
  });

  it("takes protect", () => {
    expect(of("protected").map(({ protect }) => protect)).toEqual(of("protected").map(() => true));
    expect(of("whole").map(({ protect }) => protect)).toEqual(of("whole").map(() => undefined));
  });

  it("takes aliases, for its objects too", () => {
    expect(new Set(of("whole").map(({ op }) => op))).toEqual(new Set(["create"]));
    expect(new Set(of("aliased").map(({ op }) => op))).toEqual(new Set(["update"]));
  });

  it("takes transforms, for its objects too", () => {
    const seen = (name: string) =>
      of(name).filter(({ inputs }) => "seen" in (inputs?.metadata?.annotations ?? {})).length;
    expect([seen("transformed") > 0, seen("whole")]).toEqual([true, 0]);
  });

  it("takes providers", () => {
    const named = (name: string) =>
      of(name).flatMap(({ provider }) => (provider ? [/::([^:]+)::/.exec(provider.slice(-60))?.[1]] : []));
    expect(new Set(named("elsewhere"))).toEqual(new Set(["elsewhere"]));
    expect(new Set(named("whole"))).not.toContain("elsewhere");
  });

  it("takes dependsOn", () => {
    const [parented = ""] = [...remote.keys()].filter((urn) => urn.endsWith("::parented"));
    expect(of("after").some(({ dependencies }) => dependencies.includes(parented))).toBe(true);
    expect(of("whole").some(({ dependencies }) => dependencies.includes(parented))).toBe(false);
  });
});
