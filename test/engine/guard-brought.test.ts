/** What programs bring in from elsewhere, as the real engine shows it to the guard: secrets, keys, providers. */
import { DevContainer } from "@drawbridge-iac/drawbridge";
import * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import { afterAll, beforeAll, expect, it } from "vitest";
import { containerBase, gateway } from "../../packages/drawbridge/src/host/base.trials.ts";
import { judge, parseBounds, readWholePreview } from "../../packages/guard/src/index.ts";
import { previewDigest, whole } from "../../scripts/lib/engine/digest.ts";
import { noCluster, testStack } from "../../scripts/lib/engine/engine.ts";

type Stack = Awaited<ReturnType<typeof testStack>>;
const seed = "another-stacks-seed-0123456789abcdef01234567";
const bounds = parseBounds({ namespaces: ["team-a"] }, "bounds");
let platform: Stack;
let team: Stack;

beforeAll(async () => {
  platform = await testStack(async () => ({ gateway, seed: pulumi.secret(seed) }), { env: noCluster });
  await platform.stack.up();
  team = await testStack(async () => ({}), { env: noCluster, backend: platform.backend, stack: "team" });
});
afterAll(() => platform.removeState());

/** What the guard finds in a preview of the program, but for hashes. */
async function found(program: (reference: pulumi.StackReference) => unknown) {
  team.setProgram(async () => {
    program(new pulumi.StackReference("platform", { name: "organization/drawbridge-test/test" }));
  });
  const { refused, unjudged } = judge(
    readWholePreview(await previewDigest(team.stack, whole)),
    [],
    new Date(),
    bounds,
  );
  return [...refused, ...unjudged].map(
    ({ rule, text }) => `${rule}: ${text.replace(/ \([0-9a-f]{40}\)$/, "")}`,
  );
}

const metadata = { name: "notes", namespace: "team-a" };
const container = (args: object = {}) => new DevContainer("dev1", { ...containerBase, ...args } as never);
const secretOf = (reference: pulumi.StackReference) => reference.getOutput("seed") as pulumi.Output<string>;

it("passes the platform's refs, and a Secret of the program's own", async () => {
  const passed = await found((reference) => {
    container({ access: { gateway: reference.getOutput("gateway") } });
    const stringData = { password: pulumi.secret("only for tests") };
    new k8s.core.v1.Secret("notes", { metadata, stringData });
  });
  expect(passed).toEqual([]);
});

it("refuses what is secret in another stack, and secrets in the open", async () => {
  const from = (property: string) =>
    `secret-taken: ${property} comes from the stack organization/drawbridge-test/test, and holds what is secret there`;
  const refused = await found((reference) => {
    container({ hostKey: { seed: secretOf(reference) } });
    new k8s.core.v1.Secret("notes", { metadata, stringData: { seed: secretOf(reference) } });
    const open = { ...metadata, name: "open" };
    new k8s.core.v1.ConfigMap("open", { metadata: open, data: { password: pulumi.secret("a") } });
  });
  expect(refused.sort()).toEqual([
    "secret-taken: data.password is secret, and stands where it can be read",
    from("hostKey"),
    from("stringData"),
  ]);
});

it("refuses a secret in the open that `up` alone knows, and takes it in a Secret", async () => {
  const later = (name: string) => {
    const first = new k8s.core.v1.Service(name, {
      metadata: { ...metadata, name },
      spec: { selector: { app: name } },
    });
    return pulumi.secret(first.id);
  };
  const said = await found(() => {
    container();
    new k8s.core.v1.ConfigMap("open", {
      metadata: { ...metadata, name: "open" },
      data: { password: later("a") },
    });
    new k8s.core.v1.Secret("notes", { metadata, stringData: { password: later("b") } });
  });
  expect(said).toEqual(["secret-taken: data.password is secret, and stands where it can be read"]);
});

it("refuses the key of a host that the preview does not hold, and takes one below its own name", async () => {
  const keyed = (identity: string) => found(() => container({ hostKey: { seed, identity } }));
  expect(await keyed("team-b/db")).toEqual([
    "secret-taken: hostKey.identity is team-b/db, which no host of team-a leaves in this preview, and which is not below team-a/dev1/",
  ]);
  expect(await keyed("team-a/dev1/east")).toEqual([]);
});

it("refuses a provider with an address of its own, by default or not", async () => {
  const options = { pluginDownloadURL: "https://user:pw@plugins.example.com/x" };
  const text = (version: string) =>
    `provider-changed: the provider kubernetes ${version}, with a source of its own, is none that the platform names`;
  const said = await found(() => {
    container();
    new k8s.core.v1.ConfigMap("notes", { metadata }, options);
    const own = { ...metadata, name: "own" };
    new k8s.core.v1.ConfigMap("own", { metadata: own }, { provider: new k8s.Provider("mine", {}, options) });
  });
  expect(said.map((one) => one.replace(/kubernetes [\d.]+/, "kubernetes 1.0.0"))).toContain(text("1.0.0"));
  expect(said.join()).not.toContain("plugins.example.com");
});
