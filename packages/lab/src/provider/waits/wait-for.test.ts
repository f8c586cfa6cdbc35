import { expect, test } from "vitest";
import type { KubeObject } from "../kubernetes/object.ts";
import { parseWaitFor } from "./wait-for.ts";

const object: KubeObject = {
  apiVersion: "v1",
  kind: "Thing",
  metadata: { name: "t", labels: { "a.b/c": "yes" } },
  status: {
    phase: "Running",
    count: 2,
    hooks: [{ ca: "x" }, { ca: "x" }],
    conditions: [
      { type: "Ready", status: "True" },
      { type: "Stalled", status: "False", reason: "Fine" },
    ],
  },
};

test.each([
  "condition=Ready",
  "condition=Ready=true",
  "condition=Stalled=False",
  "jsonpath={.status.phase}",
  "jsonpath={.status.phase}=Running",
  "jsonpath=.status.count=2",
  "jsonpath={.status.hooks[*].ca}=x",
  "jsonpath={.status.hooks[1].ca}",
  "jsonpath={.metadata.labels['a.b/c']}=yes",
  "jsonpath={.metadata.labels.a\\.b/c}=yes",
  '["condition=Ready", "jsonpath={.status.phase}=Running"]',
])("%s holds", (annotation) => {
  expect(parseWaitFor(annotation)(object)).toEqual({ is: "ready" });
});

test.each([
  ["condition=Gone", "condition=Gone"],
  ["condition=Stalled", "condition=Stalled (Fine)"],
  ["jsonpath={.status.phase}=Done", "jsonpath={.status.phase}=Done"],
  ["jsonpath={.status.nothing}", "jsonpath={.status.nothing}"],
  ['["condition=Ready", "jsonpath={.status.hooks[2].ca}"]', "jsonpath={.status.hooks[2].ca}"],
])("%s does not hold", (annotation, missing) => {
  expect(parseWaitFor(annotation)(object)).toEqual({ is: "waiting", for: missing });
});

test.each([
  ["Ready", 'pulumi.com/waitFor is "Ready"; it must begin with "condition=" or "jsonpath=".'],
  ["[]", "pulumi.com/waitFor is []; a list must hold at least one text and nothing else."],
  [
    "jsonpath={.items[?(@.a)]}",
    'the JSONPath "{.items[?(@.a)]}" is not supported by the stand-in provider. Use plain fields, indices and [*], such as {.status.phase}.',
  ],
])("%s is refused", (annotation, message) => {
  expect(() => parseWaitFor(annotation)).toThrow(message);
});
