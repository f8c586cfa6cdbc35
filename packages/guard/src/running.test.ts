import { expect, it } from "vitest";
import type { Change } from "./change.ts";
import { describeCost } from "./cost.ts";
import { describeRunning } from "./running.ts";
import { change } from "./sample.fixture.ts";

const inputs = (replicas: number | undefined, image = "a/b:1") => ({
  spec: {
    ...(replicas === undefined ? {} : { replicas }),
    template: { spec: { containers: [{ image, resources: { limits: { "nvidia.com/gpu": 2 } } }] } },
  },
});
const workload = (fields: Partial<Change>) =>
  change("StatefulSet", "dev1-workload", { of: "DevContainer dev1", ...fields });
const off = "pods that end until running is true again, homes kept: dev1";
const on = "pods that start again, with their homes and host keys: dev1";
const again = "pods that restart, homes kept: dev1";

it.each<[string, Change["after"], Change["after"], string[], string[]]>([
  ["switched off", inputs(1), inputs(0), [off], ["GPUs: -2"]],
  // One that sleeps leaves its replicas to the culler.
  ["switched off that may sleep", inputs(undefined), inputs(0), [off], ["GPUs: -2"]],
  ["switched off with another image at once", inputs(1), inputs(0, "a/b:2"), [off], ["GPUs: -2"]],
  ["changed while it is off", inputs(0), inputs(0, "a/b:2"), [], []],
  ["switched on", inputs(0), inputs(1, "a/b:2"), [on], ["GPUs: +2"]],
  ["switched on that may sleep", inputs(0), inputs(undefined), [on], ["GPUs: +2"]],
  ["changed", inputs(1), inputs(1, "a/b:2"), [again], []],
  ["left as it is", inputs(1), inputs(1), [], []],
])("a container that is %s", (_, before, after, running, cost) => {
  const changes = [workload({ before, after })];
  expect([describeRunning(changes), describeCost(changes)]).toEqual([running, cost]);
});

it.each([
  ["made switched off", { op: "create", before: undefined, after: inputs(0) }],
  ["removed switched off", { op: "delete", before: inputs(0), after: undefined }],
])("a container that is %s starts and ends nothing", (_, fields) => {
  expect(describeRunning([workload(fields)])).toEqual([]);
});
