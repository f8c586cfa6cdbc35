import { mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readInput } from "./input.ts";

const urn = "urn:pulumi:s::p::kubernetes:core/v1:ConfigMap::a";
const events = [
  { resourcePreEvent: { metadata: { op: "create", urn, new: { type: "t", urn } } } },
  { resourcePreEvent: { metadata: { op: "create", urn: `${urn}2`, new: { type: "t", urn } } } },
  { summaryEvent: { resourceChanges: { create: 2 }, result: "succeeded" } },
];
const megabyte = `${" ".repeat(2 ** 20 - 1)}\n`;

/** A file of events, of which so many megabytes are blank. */
async function withFile<T>(megabytes: number, use: (file: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "drawbridge-input-"));
  const file = await open(join(folder, "events"), "w");
  for (let count = 0; count < megabytes; count += 1) await file.write(megabyte);
  for (const event of events) await file.write(`${JSON.stringify(event)}\n`);
  await file.close();
  return use(join(folder, "events")).finally(() => rm(folder, { recursive: true, force: true }));
}

it("takes events that are longer than a text can be", { timeout: 120_000 }, async () => {
  const { changes, failures } = await withFile(600, readInput);
  expect({ ops: changes.map(({ op }) => op), failures }).toEqual({ ops: ["create", "create"], failures: [] });
});

it("takes no more than a gibibyte", { timeout: 120_000 }, async () => {
  await expect(withFile(1025, readInput)).rejects.toThrow(
    "the preview is longer than 1 GiB; preview fewer stacks at once",
  );
});
