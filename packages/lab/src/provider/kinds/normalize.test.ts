import { expect, test } from "vitest";
import { UNKNOWN, type ValueMap } from "../values/property.ts";
import { amount, normalized } from "./normalize.ts";
import { parseTypeToken } from "./type-token.ts";

const kept = (token: string, inputs: ValueMap) => normalized(inputs, parseTypeToken(token));

test("of Kubernetes' own kinds empty lists and maps go; an empty object that says something stays", () => {
  const inputs = {
    metadata: { name: "a", labels: {}, uid: "1", resourceVersion: "2" },
    spec: {
      podSelector: {},
      ingress: [{ from: [], ports: [] }],
      egress: [],
      volumes: [{ emptyDir: {}, nodeSelector: {} }],
      resources: { limits: { cpu: "0.5", memory: "1024Mi" }, requests: {} },
    },
  };
  expect(kept("kubernetes:networking.k8s.io/v1:NetworkPolicy", inputs)).toEqual({
    metadata: { name: "a" },
    spec: {
      podSelector: {},
      ingress: [{}],
      volumes: [{ emptyDir: {} }],
      resources: { limits: { cpu: "500m", memory: "1Gi" } },
    },
  });
  expect(kept("kubernetes:rbac.authorization.k8s.io/v1:Role", { rules: [] })).toEqual({ rules: [] });
});

test("custom resources, definitions and what is not known yet stay, but for what the server sets", () => {
  const inputs = { metadata: { generation: 1, labels: {} }, spec: { hosts: [] } };
  const same = { metadata: { labels: {} }, spec: { hosts: [] } };
  expect(kept("kubernetes:networking.istio.io/v1:VirtualService", inputs)).toEqual(same);
  expect(kept("kubernetes:apiextensions.k8s.io/v1:CustomResourceDefinition", inputs)).toEqual(same);
  const unknown: ValueMap = { metadata: { labels: {} }, data: { a: UNKNOWN } };
  expect(kept("kubernetes:core/v1:ConfigMap", unknown)).toEqual(unknown);
});

test("a Secret's stringData moves to data, over what is there", () => {
  const inputs = { stringData: { a: "v" }, data: { a: "b2xk", b: "Yg==" } };
  expect(kept("kubernetes:core/v1:Secret", inputs)).toEqual({ data: { a: "dg==", b: "Yg==" } });
});

test.each([
  ["0.5", "500m"],
  [2, "2"],
  ["1000m", "1"],
  ["1500m", "1500m"],
  ["2000", "2k"],
  ["0", "0"],
  ["-1", "-1"],
  ["1024Mi", "1Gi"],
  ["0.5Gi", "512Mi"],
  ["1000Ki", "1000Ki"],
  ["10Gi", "10Gi"],
  ["some text", "some text"],
])("the amount %s is %s", (written, expected) => {
  expect(amount(written)).toBe(expected);
  expect(amount(expected)).toBe(expected);
});
