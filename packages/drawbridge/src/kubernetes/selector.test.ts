import { expect, test } from "vitest";
import { selects } from "./selector.ts";

const labels = { app: "sshd", tier: "dev" };

test.each([
  [{}, true],
  [{ matchLabels: { app: "sshd" } }, true],
  [{ matchLabels: { app: "sshd", tier: "prod" } }, false],
  [{ matchExpressions: [{ key: "tier", operator: "In", values: ["dev", "test"] }] }, true],
  [{ matchExpressions: [{ key: "tier", operator: "NotIn", values: ["dev"] }] }, false],
  [{ matchExpressions: [{ key: "other", operator: "NotIn", values: ["dev"] }] }, true],
  [{ matchExpressions: [{ key: "app", operator: "Exists" }] }, true],
  [{ matchExpressions: [{ key: "app", operator: "DoesNotExist" }] }, false],
  [{ matchLabels: { app: "sshd" }, matchExpressions: [{ key: "x", operator: "Exists" }] }, false],
])("%j", (selector, expected) => {
  expect(selects(selector, labels)).toBe(expected);
});
