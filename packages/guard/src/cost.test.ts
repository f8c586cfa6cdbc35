import { expect, it } from "vitest";
import type { Change } from "./change.ts";
import { describeCost } from "./cost.ts";
import { change } from "./sample.fixture.ts";
import { secretText, unknownText } from "./values.ts";

const claim = (fields: Partial<Change>) => change("PersistentVolumeClaim", "home", fields);
const sized = (storage: unknown) => ({ spec: { resources: { requests: { storage } } } });
const limited = (limits: object, replicas?: unknown) => ({
  spec: { replicas, template: { spec: { containers: [{ resources: { limits } }] } } },
});
const gpus = (count: unknown, replicas?: unknown) => limited({ "nvidia.com/gpu": count }, replicas);

/** The steps of a replacement, as a preview has them. */
const replaced = (
  of: (fields: Partial<Change>) => Change,
  before: Change["before"],
  after: Change["after"],
  retained = false,
) => ["create-replacement", "replace", "delete-replaced"].map((op) => of({ op, before, after, retained }));

const workload = (kind: string) => (fields: Partial<Change>) => change(kind, "work", fields);
const deployment = workload("Deployment");

it.each<[string, Change[], string[]]>([
  ["a new claim", [claim({ op: "create", before: undefined, after: sized("20Gi") })], ["storage: +20 GiB"]],
  [
    "a deleted claim",
    [claim({ op: "delete", before: sized("20Gi"), after: undefined })],
    ["storage: -20 GiB"],
  ],
  ["a retained claim", [claim({ op: "delete", before: sized("20Gi"), retained: true })], []],
  ["a replaced claim", replaced(claim, sized("20Gi"), sized("30Gi")), ["storage: +10 GiB"]],
  ["a replaced claim that stays", replaced(claim, sized("20Gi"), sized("20Gi"), true), ["storage: +20 GiB"]],
  ["a replaced workload", replaced(workload("StatefulSet"), gpus("1", 1), gpus("2", 1)), ["GPUs: +1"]],
  ["more replicas", [deployment({ before: gpus(1, 1), after: gpus(1, 4) })], ["GPUs: +3"]],
  ["no replicas", [deployment({ before: gpus(2), after: gpus(2, 0) })], ["GPUs: -2"]],
])("%s", (_, changes, cost) => {
  expect(describeCost(changes)).toEqual(cost);
});

it.each([
  ["amd.com/gpu", 1],
  ["nvidia.com/gpu.shared", 1],
  ["nvidia.com/mig-1g.10gb", 1],
  ["gpu.intel.com/i915", 1],
  ["gpu.intel.com/xe", 1],
  ["gpu.intel.com/i915_monitoring", 0],
  ["memory", 0],
  ["example.com/fpga", 0],
])("%s counts %d", (resource, count) => {
  const made = deployment({ op: "create", before: undefined, after: limited({ [resource]: "1" }) });
  expect(describeCost([made])).toEqual(count === 0 ? [] : ["GPUs: +1"]);
});

it.each([unknownText, secretText])("what is not shown (%s) is named, beside what is", (hidden) => {
  const tail = ", and what the preview does not show";
  expect(
    describeCost([
      claim({ before: sized("20Gi"), after: sized(hidden) }),
      claim({ before: sized("20Gi"), after: sized("25Gi") }),
      deployment({ before: gpus("1", 1), after: gpus(hidden, 1) }),
    ]),
  ).toEqual([`GPUs: 0${tail}`, `storage: +5 GiB${tail}`]);
  expect(describeCost([deployment({ before: gpus("1", 1), after: gpus("1", hidden) })])).toEqual([
    `GPUs: 0${tail}`,
  ]);
});
