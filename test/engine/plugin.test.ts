/** The components through their plugin, as the engine and a program in another language reach them. */
import { DevContainer } from "@drawbridge-iac/drawbridge";
import * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import { beforeAll, describe, expect, it } from "vitest";
import { keepSecrets, type KeptSecrets, pretendUp, previewDigest } from "../support/digest.ts";
import { unreachableKubeconfig } from "../support/engine.ts";
import { containerBase } from "../support/field-edits/container-base.ts";
import { outputsOf, plannedIn, Remote, stackOf } from "../support/remote.ts";

const env = { PULUMI_K8S_KUBECONFIG: unreachableKubeconfig, KUBECONFIG: "/nonexistent" };
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
async function planned(make: Make): Promise<Map<string, Resource>> {
  const kept: KeptSecrets = new Map();
  let run: () => Promise<pulumi.Inputs | void> = async () => {
    keepSecrets(kept);
    inProgram("before", { ...containerBase, hostKey: { seed: seed() } });
  };
  const { stack, remove } = await stackOf("nodejs", () => run(), { env });
  try {
    await pretendUp(stack, kept);
    run = () => program(make);
    return plannedIn(await previewDigest(stack)) as Map<string, Resource>;
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
  /** Its objects, by their type in Kubernetes. */
  const objectsOf = (name: string) =>
    [...remote].filter(([urn]) => urn.includes(`$kubernetes:`) && urn.endsWith(`::${name}`) || urn.includes(`::${name}-`));

  beforeAll(async () => {
    local = await planned(inProgram);
    remote = await planned(byPlugin);
  });

  it("makes the same objects, and gives the same outputs", () => {
    expect([...remote.keys()].sort()).toEqual([...local.keys()].sort());
    expect(local.size).toBeGreaterThan(50);
    for (const [urn, resource] of local) expect([urn, remote.get(urn)]).toEqual([urn, resource]);
  });

  it("takes parent", () => {
    const below = [...remote.keys()].filter((urn) => urn.includes("::test:index:Group$drawbridge:index:"));
    expect(below.length).toBeGreaterThan(5);
  });
});
