import * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import { beforeAll, describe, expect, it } from "vitest";
import { valueAt } from "../../packages/manifests/src/stack/merge.ts";
import { make } from "../support/every-argument.ts";
import {
  type Case,
  isSecretArgument,
  laterArguments,
  masksOf,
  planned,
  withValue,
} from "../support/masked.ts";

const cases = laterArguments();

/** Registers the components, of which the argument is what `later` makes of it. */
const program =
  (some: readonly Case[], later: (value: unknown, unknown: pulumi.Output<unknown>) => unknown) =>
  async () => {
    const { id } = new k8s.core.v1.ConfigMap("source", { metadata: { namespace: "team-a" } });
    // Provider's forms differ
    pulumi.runtime.registerStackTransformation(({ type, props, opts }) => {
      if (!type.startsWith("kubernetes:") || props.metadata === undefined) return undefined;
      const annotations = { ...props.metadata.annotations, "test/unknown": id };
      return { props: { ...props, metadata: { ...props.metadata, annotations } }, opts };
    });
    for (const one of some)
      make({ ...one, args: withValue(one.args, one.path, later(valueAt(one.args, one.path), id)) });
  };

it("x", async () => {
  console.log(cases.length);
  const t = Date.now();
  const plain = await planned(program(cases, (value) => value));
  console.log(plain.said.slice(0, 3000), plain.components.size, Date.now() - t);
  const unknown = await planned(program(cases, (_, id) => id));
  console.log(unknown.said.slice(0, 3000), unknown.components.size, Date.now() - t);
  for (const { name, kind, path, args } of cases) {
    const masks = masksOf(unknown.components.get(name), plain.components.get(name));
    const value = valueAt(args, path);
    const odd = masks.filter(
      ({ plain }) => typeof plain === "object" || !String(plain).includes(String(value)),
    );
    if (odd.length > 0)
      console.log(
        `>> ${kind} ${path.join(".")} = ${JSON.stringify(value)?.slice(0, 60)}: ${masks.length} masks, odd: ` +
          odd
            .slice(0, 12)
            .map((m) => `\n     ${m.object} ${m.at}: ${JSON.stringify(m.plain)?.slice(0, 120)}`)
            .join(""),
      );
  }
  expect(1).toBe(1);
});
