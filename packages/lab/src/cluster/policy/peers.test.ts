import { expect, test } from "vitest";
import { endpointsOf, ownerless, selects } from "./peers.ts";

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

test("fails for an operator that Kubernetes does not have", () => {
  const selector = { matchExpressions: [{ key: "app", operator: "Near" }] };
  expect(() => selects(selector, labels)).toThrow('operator "Near" is not known');
});

test("a pod has the addresses that it was given, before and after the API server knows them", () => {
  const pods = [
    { metadata: { name: "new", namespace: "a", uid: "1" }, spec: { containers: [] }, status: {} },
    {
      metadata: { name: "old", namespace: "a", uid: "2" },
      spec: { containers: [] },
      status: { podIP: "10.0.0.2" },
    },
    { metadata: { name: "ended", namespace: "a", uid: "3" }, status: { podIP: "10.0.0.3", phase: "Failed" } },
  ];
  const givenOut = [
    { address: "10.0.0.1", uid: "1" },
    { address: "10.0.0.2", uid: "2" },
    { address: "10.0.0.3", uid: "3" },
    { address: "10.0.0.4", uid: "gone" },
  ];
  const found = endpointsOf(pods, givenOut);
  expect(found.map(({ address }) => address)).toEqual(["10.0.0.1", "10.0.0.2"]);
  expect(endpointsOf(pods).map(({ address }) => address)).toEqual(["10.0.0.2"]);
  expect(ownerless(givenOut, found)).toEqual(["10.0.0.3", "10.0.0.4"]);
});
