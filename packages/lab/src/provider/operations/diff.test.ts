import { expect, test } from "vitest";
import { readSettings } from "../config/settings.ts";
import { Secret, UNKNOWN, type ValueMap } from "../values/property.ts";
import { compare, type DiffResult, diff } from "./diff.ts";

const named = { name: "a", namespace: "team" };
const autonamed = { ...named, annotations: { "pulumi.com/autonamed": "true" } };

function change(
  type: string,
  oldInputs: ValueMap,
  news: ValueMap,
  config: Record<string, string> = {},
  ignoreChanges: string[] = [],
  live: ValueMap = {},
): DiffResult {
  const kind = type.split(":").at(-1)!;
  const full = (inputs: ValueMap): ValueMap => ({ apiVersion: "v1", kind, metadata: named, ...inputs });
  return diff(
    { settings: readSettings(config, {}) },
    {
      type,
      olds: { ...full(oldInputs), ...live, __inputs: full(oldInputs) },
      news: full(news),
      ignoreChanges,
    },
  );
}

const CONFIG_MAP = "kubernetes:core/v1:ConfigMap";
const SECRET = "kubernetes:core/v1:Secret";
const SERVICE = "kubernetes:core/v1:Service";

test("equal inputs are no change", () => {
  expect(change(CONFIG_MAP, { data: { a: "1" } }, { data: { a: "1" } })).toEqual({
    changes: [],
    deleteBeforeReplace: false,
  });
});

test("data of a ConfigMap is replaced unless the provider says otherwise", () => {
  const [before, after] = [{ data: { a: "1" } }, { data: { a: "2" } }];
  expect(change(CONFIG_MAP, before, after)).toEqual({
    changes: [{ path: "data.a", kind: "update", replaces: true }],
    deleteBeforeReplace: true,
  });
  expect(change(CONFIG_MAP, before, after, { enableConfigMapMutable: "true" })).toEqual({
    changes: [{ path: "data.a", kind: "update", replaces: false }],
    deleteBeforeReplace: false,
  });
  expect(
    change(CONFIG_MAP, before, { ...after, immutable: true }, { enableConfigMapMutable: "true" }),
  ).toEqual({
    changes: [
      { path: "data.a", kind: "update", replaces: true },
      { path: "immutable", kind: "add", replaces: false },
    ],
    deleteBeforeReplace: true,
  });
});

test("an object with a name by Pulumi is replaced without deleting the old one first", () => {
  const before = { metadata: autonamed, data: { a: "1" } };
  expect(change(CONFIG_MAP, before, { ...before, data: { a: "2" } }).deleteBeforeReplace).toBe(false);
});

test("another name or namespace is another object, made before the old one goes", () => {
  expect(change(SERVICE, {}, { metadata: { ...named, name: "b" } })).toEqual({
    changes: [{ path: "metadata.name", kind: "update", replaces: true }],
    deleteBeforeReplace: false,
  });
  expect(change(SERVICE, {}, { metadata: { ...named, namespace: "other" } })).toEqual({
    changes: [{ path: "metadata.namespace", kind: "update", replaces: true }],
    deleteBeforeReplace: false,
  });
  expect(change(SERVICE, {}, { metadata: UNKNOWN })).toEqual({
    changes: [{ path: "metadata", kind: "update", replaces: true }],
    deleteBeforeReplace: false,
  });
});

test("no namespace and the namespace default are the same", () => {
  expect(
    change(SERVICE, { metadata: { name: "a" } }, { metadata: { name: "a", namespace: "default" } }).changes,
  ).toEqual([]);
});

test.each([
  ["kubernetes:apps/v1:StatefulSet", { serviceName: "a" }, { serviceName: "b" }, "spec.serviceName", true],
  ["kubernetes:apps/v1:StatefulSet", { replicas: 1 }, { replicas: 2 }, "spec.replicas", false],
  [
    "kubernetes:apps/v1:StatefulSet",
    { volumeClaimTemplates: [{ spec: { a: 1 } }] },
    { volumeClaimTemplates: [{ spec: { a: 2 } }] },
    "spec.volumeClaimTemplates[0].spec.a",
    true,
  ],
  [
    "kubernetes:apps/v1:Deployment",
    { selector: { matchLabels: { a: "1" } } },
    { selector: { matchLabels: { a: "2" } } },
    "spec.selector.matchLabels.a",
    true,
  ],
  [
    "kubernetes:core/v1:PersistentVolumeClaim",
    { storageClassName: "a" },
    { storageClassName: "b" },
    "spec.storageClassName",
    true,
  ],
  [
    "kubernetes:core/v1:PersistentVolumeClaim",
    { resources: { requests: { storage: "1Gi" } } },
    { resources: { requests: { storage: "2Gi" } } },
    "spec.resources.requests.storage",
    false,
  ],
  [SERVICE, { clusterIP: "None" }, { clusterIP: "10.0.0.1" }, "spec.clusterIP", true],
  [SERVICE, { type: "ClusterIP" }, { type: "LoadBalancer" }, "spec.type", false],
  [
    "kubernetes:batch/v1:Job",
    { template: { spec: { a: 1 } } },
    { template: { spec: { a: 2 } } },
    "spec.template.spec.a",
    true,
  ],
  [
    "kubernetes:batch/v1:Job",
    { ttlSecondsAfterFinished: 1 },
    { ttlSecondsAfterFinished: 2 },
    "spec.ttlSecondsAfterFinished",
    false,
  ],
])("%s: a change of %j to %j", (type, before, after, path, replaces) => {
  expect(change(type, { spec: before }, { spec: after })).toEqual({
    changes: [{ path, kind: "update", replaces }],
    deleteBeforeReplace: replaces,
  });
});

test("what adds the parent of an immutable field replaces, too", () => {
  const type = "kubernetes:apps/v1:StatefulSet";
  expect(change(type, {}, { spec: { serviceName: "a" } }).changes).toEqual([
    { path: "spec", kind: "add", replaces: true },
  ]);
  expect(change(type, {}, { spec: { replicas: 1 } }).changes).toEqual([
    { path: "spec", kind: "add", replaces: false },
  ]);
});

test("a role binding's role is replaced, its subjects are not", () => {
  const type = "kubernetes:rbac.authorization.k8s.io/v1:RoleBinding";
  expect(
    change(type, { roleRef: { name: "a" }, subjects: [] }, { roleRef: { name: "b" }, subjects: [1] }).changes,
  ).toEqual([
    { path: "roleRef.name", kind: "update", replaces: true },
    { path: "subjects", kind: "add", replaces: false },
  ]);
});

test("a Secret's data and stringData compare as the server keeps them", () => {
  const encoded = { data: new Secret({ key: Buffer.from("v").toString("base64") }) };
  expect(change(SECRET, encoded, { stringData: new Secret({ key: "v" }) }).changes).toEqual([]);
  expect(change(SECRET, encoded, { stringData: new Secret({ key: "w" }) })).toEqual({
    changes: [{ path: "data.key", kind: "update", replaces: true }],
    deleteBeforeReplace: true,
  });
  expect(
    change(SECRET, encoded, { stringData: new Secret({ key: "w" }) }, { enableSecretMutable: "true" })
      .changes,
  ).toEqual([{ path: "data.key", kind: "update", replaces: false }]);
});

test("a Secret's type cannot change in place", () => {
  expect(change(SECRET, { type: "a" }, { type: "b" }, { enableSecretMutable: "true" }).changes).toEqual([
    { path: "type", kind: "update", replaces: true },
  ]);
});

test("ignored changes are none", () => {
  const [before, after] = [{ spec: { replicas: 1, paused: false } }, { spec: { replicas: 2, paused: true } }];
  expect(change("kubernetes:apps/v1:Deployment", before, after, {}, ["spec.replicas"]).changes).toEqual([
    { path: "spec.paused", kind: "update", replaces: false },
  ]);
});

test("what counts is what the cluster had, as far as the program spoke of it", () => {
  const type = "kubernetes:apps/v1:Deployment";
  const inputs = { spec: { replicas: 1, paused: false, template: { a: [{ cpu: "1" }] } } };
  // The server leaves out what is false, and adds what nobody wrote.
  const live = { spec: { replicas: 3, template: { a: [{ cpu: "1", b: 2 }, { c: 3 }], d: 4 } }, status: {} };
  expect(change(type, inputs, inputs, {}, [], live).changes).toEqual([
    { path: "spec.replicas", kind: "update", replaces: false },
  ]);
  expect(change(type, {}, {}, {}, [], live).changes).toEqual([]);
});

test("the smallest differences are found", () => {
  const before = { same: 1, changed: "a", gone: true, list: [{ x: 1 }, { x: 2 }], shape: { a: 1 } };
  const after = { same: 1, changed: "b", added: {}, list: [{ x: 1 }, { x: 3 }, { x: 4 }], shape: [1] };
  expect(compare(before, after)).toEqual([
    { path: ["changed"], kind: "update" },
    { path: ["gone"], kind: "delete" },
    { path: ["list", 1, "x"], kind: "update" },
    { path: ["list", 2], kind: "add" },
    { path: ["shape"], kind: "update" },
    { path: ["added"], kind: "add" },
  ]);
  expect(compare({ a: 1 }, { a: UNKNOWN, b: UNKNOWN })).toEqual([
    { path: ["a"], kind: "update" },
    { path: ["b"], kind: "add" },
  ]);
});
