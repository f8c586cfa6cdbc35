import { expect, test } from "vitest";
import type { JsonMap, KubeObject } from "../../kube/object.ts";
import { chartValues, forLab } from "./chart.ts";

test("the proxy's image is taken apart for the charts", () => {
  expect(chartValues("drawbridge.local/proxyv2:lab")).toMatchObject({
    global: { hub: "drawbridge.local", tag: "lab", imagePullPolicy: "IfNotPresent" },
    meshConfig: { defaultProviders: { metrics: [] } },
  });
});

test.each(["proxyv2", "drawbridge.local/envoy:lab", "drawbridge.local/proxyv2"])(
  "fails for the image %s",
  (image) => {
    expect(() => chartValues(image)).toThrow(
      `the proxy image is ${image}; Istio's charts need a reference of the form HUB/proxyv2:TAG`,
    );
  },
);

test("istiod's pods are left out, and its Service gets the node as its endpoint", () => {
  const named = (kind: string, name: string, rest: JsonMap = {}): KubeObject => ({
    apiVersion: "v1",
    kind,
    metadata: { name },
    ...rest,
  });
  const { definitions, others } = forLab([
    named("CustomResourceDefinition", "gateways.networking.istio.io"),
    named("Deployment", "istiod"),
    named("PodDisruptionBudget", "istiod"),
    named("Service", "istiod", { spec: { ports: [], selector: { app: "istiod" } } }),
    named("Service", "other", { spec: { selector: { app: "other" } } }),
  ]);
  expect(definitions).toEqual([named("CustomResourceDefinition", "gateways.networking.istio.io")]);
  expect(others.slice(0, -1)).toEqual([
    named("Service", "istiod", { spec: { ports: [] } }),
    named("Service", "other", { spec: { selector: { app: "other" } } }),
  ]);
  expect(others.at(-1)).toMatchObject({ kind: "EndpointSlice", endpoints: [{ addresses: ["10.201.0.1"] }] });
});
