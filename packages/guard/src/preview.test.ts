import { expect, it } from "vitest";
import { readInput, readPreview } from "./preview.ts";

const urn = "urn:pulumi:s::p::kubernetes:core/v1:ConfigMap::a";
const events = [
  { resourcePreEvent: { metadata: { op: "create", urn, new: { type: "t", urn } } } },
  { resourcePreEvent: { metadata: { op: "create", urn: `${urn}2`, new: { type: "t", urn } } } },
  { summaryEvent: { resourceChanges: { create: 2 }, result: "succeeded" } },
];
const megabyte = Buffer.from(`${" ".repeat(2 ** 20 - 1)}\n`);

/** Events, of which so many megabytes are blank. */
async function* input(megabytes: number) {
  for (let count = 0; count < megabytes; count += 1) yield megabyte;
  for (const event of events) yield Buffer.from(`${JSON.stringify(event)}\n`);
}

it("takes events that are longer than a text can be", async () => {
  const { changes, failures } = await readInput(input(600));
  expect({ ops: changes.map(({ op }) => op), failures }).toEqual({ ops: ["create", "create"], failures: [] });
});

it("takes no more than a gibibyte", async () => {
  await expect(readInput(input(1025))).rejects.toThrow(
    "the preview is longer than 1 GiB; preview fewer stacks at once",
  );
});

it.each([["x"], ['"'], ["\\"], ['\n"']])("takes a text of eight megabytes of %j", (sign) => {
  const newState = { type: "t", urn, inputs: { text: sign.repeat(2 ** 23) } };
  const steps = [{ op: "create", urn, newState }];
  expect(readPreview(JSON.stringify({ steps }))).toHaveLength(1);
});
