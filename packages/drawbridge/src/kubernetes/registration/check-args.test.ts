/**
 * Values that come later make the same objects and texts as plain ones. That wrong ones make none is tested with the
 * real engine (test/engine/container.test.ts).
 */
import * as pulumi from "@pulumi/pulumi";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { DevContainer } from "../../dev-container/component.ts";
import { faultsFrom } from "../../kit/faults.fixture.ts";
import { SshGateway } from "../../ssh-gateway/component.ts";
import { Team } from "../../team/component.ts";
import { leavesOf, mapped } from "./check-args.ts";

const aliceKey = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAICOp7m/T0uXYQbLaxCyYOBnH+nILl2oMszTc7NNkhxbN alice";
const gateway = {
  name: "ssh",
  namespace: "ssh",
  domain: "dev.example.com",
  plainPort: 80,
  address: "192.0.2.7",
};

let made: pulumi.runtime.MockResourceArgs[] = [];

const mocks: pulumi.runtime.Mocks = {
  newResource: (args) => {
    made.push(args);
    // With this a LoadBalancer has its address.
    const status = { loadBalancer: { ingress: [{ ip: "192.0.2.7" }] } };
    return { id: `${args.name}-id`, state: { ...args.inputs, status } };
  },
  call: () => ({}),
};

beforeEach(async () => {
  made = [];
  await pulumi.runtime.setMocks(mocks, "project", "stack", false);
});
afterEach(() => pulumi.runtime.setMocks(mocks));

const minimal = {
  image: "registry.example.com/dev:1",
  authorizedKeys: [aliceKey],
  hostKey: { seed: pulumi.secret("only-for-tests-0123456789abcdef0123456789abcdef") },
  access: { gateway },
};

const container = (namespace: pulumi.Input<string>) => new DevContainer("dev1", { ...minimal, namespace });

/** What is known of an output. */
function known(value: pulumi.Output<unknown>): Promise<unknown> {
  return (value as unknown as { promise(): Promise<unknown> }).promise();
}

/** Waits until nothing more is registered: what depends on another resource comes a moment later. */
async function settle(): Promise<void> {
  for (let before = -1; before !== made.length; ) {
    before = made.length;
    await pulumi.runtime.disconnect().catch(() => {});
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

describe("a namespace that comes later", () => {
  it("is in every object and every text as a plain one is", async () => {
    const plain = container("team-a");
    const texts = await known(
      pulumi.all([plain.hostName, plain.knownHosts, plain.sshTarget, plain.sshConfig]),
    );
    await settle();
    const objects = made;
    made = [];
    const later = container(pulumi.output("team-a"));
    expect(
      await known(pulumi.all([later.hostName, later.knownHosts, later.sshTarget, later.sshConfig])),
    ).toEqual(texts);
    await settle();
    const byName = (all: typeof made) => all.map(({ name, inputs }) => [name, inputs]).sort();
    expect(byName(made.filter(({ custom }) => custom))).toEqual(
      byName(objects.filter(({ custom }) => custom)),
    );
    expect(JSON.stringify(made)).not.toContain("toString");
    expect(await pulumi.isSecret(later.sshTarget)).toBe(false);
  });

  it("names a gateway's cluster-wide objects and their rules", async () => {
    const loadBalancer = { preset: "generic" } as const;
    const one = (namespace: pulumi.Input<string>) =>
      known(new SshGateway("ssh", { namespace, domain: "dev.example.com", loadBalancer }).namespace);
    await one("ingress");
    await settle();
    const policies = () =>
      made
        .filter(({ type }) => type.includes("Admission"))
        .map(({ type, inputs }) => JSON.stringify([type, inputs]))
        .sort();
    const plain = policies();
    made = [];
    await one(pulumi.output("ingress"));
    await settle();
    expect(policies()).toEqual(plain);
    expect(plain.length).toBeGreaterThan(10);
  });

  it("names a team's Namespace object", async () => {
    await known(new Team("root", { namespace: pulumi.output("team-a") }).namespace);
    await settle();
    const [namespace] = made.filter(({ type }) => type === "kubernetes:core/v1:Namespace");
    expect(namespace?.inputs.metadata.name).toBe("team-a");
    expect(namespace?.inputs.metadata.labels["drawbridge.dev/team"]).toBe("team-a");
  });
});

// Arguments that decide which objects there are must be plain data, no Outputs.
it("an Output where plain data is needed says what to write", () => {
  const later = pulumi.output("team-a");
  const container = {
    namespace: "team-a",
    ports: later,
    image: "registry.example.com/dev:1",
    authorizedKeys: pulumi.output([]),
    hostKey: { seed: "only-for-tests-0123456789abcdef0123456789abcdef" },
    access: { sshpod: { users: ["alice"] } },
    running: pulumi.output(true),
  };
  expect(faultsFrom(() => new DevContainer("dev1", container as never))).toEqual([
    "ports: is an Output, whose value is known too late to decide which resources exist",
    "running: is an Output, whose value is known too late to decide which resources exist",
  ]);
  const gateway = {
    domain: "dev.example.com",
    admissionPolicy: later,
    loadBalancer: { preset: "generic" },
    listeners: later,
  };
  expect(faultsFrom(() => new SshGateway("ssh", gateway as never))).toEqual([
    "admissionPolicy: is an Output, whose value is known too late to decide which resources exist",
    "listeners: is an Output, whose value is known too late to decide which resources exist",
  ]);
});

describe("the leaves of arguments", () => {
  class Settings {
    readonly token: unknown;
    constructor(token: unknown) {
      this.token = token;
    }
  }

  const hidden = pulumi.secret("hidden");
  const later = Promise.resolve("later");

  it.each([
    ["a plain object", { token: hidden, at: [later] }],
    ["one without a prototype", Object.assign(Object.create(null), { token: hidden, at: [later] })],
    ["an instance of a class", Object.assign(new Settings(hidden), { at: [later] })],
  ])("finds what is in %s: nothing is hidden by how it is made", (_what, value) => {
    expect(leavesOf({ env: value })).toEqual([
      { path: ["env", "token"], value: hidden },
      { path: ["env", "at", 0], value: later },
    ]);
    expect(mapped({ env: value }, (_leaf, path) => path.join("."))).toEqual({
      env: { token: "env.token", at: ["env.at.0"] },
    });
  });

  it("takes for one value what comes later, a function, and what has no parts", () => {
    const call = () => 1;
    const values = [hidden, later, call, null, undefined, 7];
    expect(leavesOf(values)).toEqual(values.map((value, index) => ({ path: [index], value })));
  });
});
