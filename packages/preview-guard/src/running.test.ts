import { expect, it } from "vitest";
import { describeCost } from "./cost.ts";
import { describeRunning } from "./running.ts";
import { change } from "./sample.fixture.ts";

const inputs = (replicas: number | undefined, image = "a/b:1") => ({
  spec: {
    ...(replicas === undefined ? {} : { replicas }),
    template: { spec: { containers: [{ image, resources: { limits: { "nvidia.com/gpu": 2 } } }] } },
  },
});
const off = "pods that end until running is true again, homes kept: dev1";
const on = "pods that start again, with their homes and host keys: dev1";
const again = "pods that restart, homes kept: dev1";

it.each<[string, object | undefined, object | undefined, string[], string[]]>([
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
  const changes = [
    change("StatefulSet", "dev1-workload", {
      of: "DevContainer dev1",
      before: before as never,
      after: after as never,
    }),
  ];
  expect([describeRunning(changes), describeCost(changes)]).toEqual([running, cost]);
});

it("a container that is made switched off, or removed so, starts and ends nothing", () => {
  const of = "DevContainer dev1";
  const made = change("StatefulSet", "dev1-workload", {
    of,
    op: "create",
    before: undefined,
    after: inputs(0),
  });
  const gone = change("StatefulSet", "dev1-workload", {
    of,
    op: "delete",
    before: inputs(0),
    after: undefined,
  });
  expect(describeRunning([made])).toEqual([]);
  expect(describeRunning([gone])).toEqual([]);
});
