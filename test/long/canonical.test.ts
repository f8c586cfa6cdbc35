/**
 * The builders write each object as Pulumi's provider would write it again (it reads and writes those of which everything
 * is known): so an object is the same whether something of it comes later or not, and a program that makes it again from the same
 * arguments can compare.
 */
import * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import fc from "fast-check";
import { expect, it } from "vitest";
import { canonicalQuantity } from "../../packages/drawbridge/src/kubernetes/quantity.ts";
import { type DigestResource, previewDigest, unknown, whole } from "../../scripts/lib/engine/digest.ts";
import { testStack } from "../../scripts/lib/engine/engine.ts";
import { everyArgument, make } from "../support/engine/every-argument.ts";

/** Where the two differ; what a preview does not show is not compared. */
function differences(given: unknown, written: unknown, path = ""): string[] {
  if (written === "[secret]" || written === unknown) return [];
  if (isObject(given) && isObject(written)) {
    const keys = new Set([...Object.keys(given), ...Object.keys(written)]);
    return [...keys].flatMap((key) => differences(given[key], written[key], `${path}.${key}`));
  }
  return Object.is(given, written) ? [] : [`${path}: ${JSON.stringify(given)} → ${JSON.stringify(written)}`];
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;

it("is what the provider makes of it, for every argument of every component", async () => {
  const given = new Map<string, unknown>();
  const names = new Set<string>();
  const { stack, removeState } = await testStack(async () => {
    pulumi.runtime.registerStackTransformation(({ type, name, props }) => {
      if (!type.startsWith("kubernetes:")) return undefined;
      names.add(`${type}::${name}`);
      pulumi.output(props).apply((known) => given.set(`${type}::${name}`, known));
      return undefined;
    });
    for (const instance of everyArgument()) {
      if (instance.args.namespace !== "renamed") make(instance);
    }
  });
  const digest = JSON.parse(await previewDigest(stack, whole)) as { steps: { newState?: DigestResource }[] };
  await removeState();
  const found = digest.steps.flatMap(({ newState }) => {
    const key = newState && `${newState.type}::${newState.urn.split("::").at(-1)}`;
    const props = key === undefined ? undefined : given.get(key);
    if (props === undefined) return [];
    return differences(props, newState?.inputs).map((one) => `${key?.split(":").at(-3)} ${one}`);
  });
  expect(found).toEqual([]);
  expect(given.size).toBe(names.size);
});

it("writes quantities as the provider does", async () => {
  const units = ["m", "", "k", "M", "G", "T", "Ki", "Mi", "Gi", "Ti"];
  const number = fc.oneof(
    fc.integer({ min: 0, max: 5000 }).map(String),
    fc.constantFrom("1000", "1024", "2048", "0.5", "1.5", "0.1", "1.25", "1048576"),
  );
  const some = fc.tuple(number, fc.constantFrom(...units)).map((parts) => parts.join(""));
  const quantities = [...new Set(fc.sample(some, { numRuns: 300, seed: 7 }))];
  const { stack, removeState } = await testStack(async () => {
    new k8s.core.v1.ResourceQuota("all", {
      metadata: { name: "all", namespace: "team-a" },
      spec: {
        hard: Object.fromEntries(quantities.map((quantity, index) => [`example.com/q${index}`, quantity])),
      },
    });
  });
  const digest = JSON.parse(await previewDigest(stack)) as { steps: { newState?: DigestResource }[] };
  await removeState();
  const { hard } = digest.steps.map(({ newState }) => newState?.inputs?.spec).find(isObject) as {
    hard: Record<string, string>;
  };
  const written = quantities.map((quantity, index) => [quantity, hard[`example.com/q${index}`]]);
  expect(written).toEqual(quantities.map((quantity) => [quantity, canonicalQuantity(quantity)]));
});
