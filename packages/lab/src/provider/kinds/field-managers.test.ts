import { expect, test } from "vitest";
import type { JsonMap, KubeObject } from "../../kube/object.ts";
import { handOver, isOwnedByCreator, withIgnored } from "./field-managers.ts";

const entry = (manager: string, operation: string, fieldsV1: JsonMap): JsonMap => ({
  manager,
  operation,
  fieldsV1,
});
const object = (managedFields: JsonMap[], spec: JsonMap = {}): KubeObject => ({
  apiVersion: "v1",
  kind: "Service",
  metadata: { name: "svc", resourceVersion: "7", managedFields },
  spec,
});

test("the creator's fields go to the manager that applies from now on", () => {
  const creator = entry("pulumi-kubernetes", "Update", { "f:spec": { "f:a": {} } });
  const scaler = entry("scaler", "Apply", { "f:spec": { "f:b": {} } });
  expect(isOwnedByCreator(object([creator]))).toBe(true);
  expect(handOver(object([creator, scaler]), "ours")).toEqual([
    {
      op: "replace",
      path: "/metadata/managedFields",
      value: [scaler, entry("ours", "Apply", { "f:spec": { "f:a": {} } })],
    },
    { op: "replace", path: "/metadata/resourceVersion", value: "7" },
  ]);
});

test("they are joined with what the manager owns already", () => {
  const kubectl = entry("kubectl-label", "Update", { "f:spec": { "f:a": {} } });
  const ours = entry("ours", "Apply", { "f:spec": { "f:b": {} }, "f:metadata": {} });
  expect(handOver(object([kubectl, ours]), "ours")).toEqual([
    {
      op: "replace",
      path: "/metadata/managedFields",
      value: [entry("ours", "Apply", { "f:spec": { "f:a": {}, "f:b": {} }, "f:metadata": {} })],
    },
    { op: "replace", path: "/metadata/resourceVersion", value: "7" },
  ]);
});

test("where nobody else created or edited, nothing is handed over; a controller's status is left alone", () => {
  const status = { ...entry("kubectl", "Update", {}), subresource: "status" };
  expect(handOver(object([entry("ours", "Apply", {}), status]), "ours")).toBeUndefined();
  expect(isOwnedByCreator(object([entry("ours", "Apply", {})]))).toBe(false);
});

test("an ignored field is left to its other owner, or keeps the value that the cluster has", () => {
  const wanted = object([], { replicas: 1, paused: false });
  const live = object(
    [
      entry("scaler", "Update", { "f:spec": { "f:replicas": {} } }),
      entry("ours", "Apply", { "f:spec": { "f:paused": {} } }),
    ],
    { replicas: 5, paused: true },
  );
  expect(withIgnored(wanted, live, ["spec.replicas", "spec.paused", "spec.absent"], "ours").spec).toEqual({
    paused: true,
  });
  expect(withIgnored(wanted, live, [], "ours")).toBe(wanted);
});
