/** What one change plants beside, a later one takes over by an alias: it is judged as if it were new. */
import { DevContainer } from "@drawbridge-iac/drawbridge";
import * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import { expect, it } from "vitest";
import { bob, containerBase } from "../../packages/drawbridge/src/host/base.trials.ts";
import { type KeptSecrets, keepSecrets, pretendUp } from "../../scripts/lib/engine/digest.ts";
import { noCluster, testStack } from "../../scripts/lib/engine/engine.ts";
import { entriesOf, guard, previewJson } from "../support/engine/guard.ts";

const { namespace } = containerBase;
const data = { authorized_keys: `${bob}\n` };
const container = (args: object = {}, opts: pulumi.ComponentResourceOptions = {}) =>
  new DevContainer("dev1", { ...containerBase, ...args } as never, opts);

/** The rules by which the guard stops the second program, after an `up` of the first. */
async function stoppedBy(planted: () => unknown, takingOver: () => unknown): Promise<string[]> {
  const kept: KeptSecrets = new Map();
  const { stack, setProgram, removeState } = await testStack(
    async () => {
      keepSecrets(kept);
      planted();
    },
    { env: noCluster },
  );
  try {
    await pretendUp(stack, kept);
    setProgram(async () => void takingOver());
    const { code, report } = await guard(await previewJson(stack));
    const rules = entriesOf(report).map(({ rule }) => rule);
    expect(code).toBe(rules.length === 0 ? 0 : 1);
    return rules;
  } finally {
    await removeState();
  }
}

it("a ConfigMap with another's key is not taken for the container's own", async () => {
  const plant = () =>
    new k8s.core.v1.ConfigMap("planted", { metadata: { name: "planted", namespace }, data });
  const keys = ({ type, name, props, opts }: pulumi.ResourceTransformArgs) =>
    type.endsWith(":ConfigMap") && name === "dev1-authorized-keys"
      ? {
          props: { ...props, data },
          opts: { ...opts, aliases: [{ name: "planted", parent: pulumi.rootStackResource }] },
        }
      : undefined;
  expect(await stoppedBy(plant, () => container({}, { transforms: [keys] }))).toContain("foreign-change");
});

it("arguments of another type's component are nobody's yesterday", async () => {
  const args = { ...containerBase, authorizedKeys: [...containerBase.authorizedKeys, bob] };
  const plant = () => new pulumi.ComponentResource("example:index:Harmless", "dev1", args);
  const taken = () => container(args, { aliases: [{ type: "example:index:Harmless" }] });
  expect(await stoppedBy(plant, taken)).toContain("foreign-change");
});

it("a container that is called otherwise is still taken for what it was", async () => {
  const renamed = () =>
    new DevContainer("dev2", { ...containerBase, name: "dev1" } as never, { aliases: [{ name: "dev1" }] });
  expect(await stoppedBy(() => container({ name: "dev1" }), renamed)).toEqual([]);
});
