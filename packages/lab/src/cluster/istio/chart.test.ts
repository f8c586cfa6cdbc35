import { expect, test } from "vitest";
import type { KubeObject } from "../../kube/object.ts";
import { chartValues, inParts } from "./chart.ts";

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

test("definitions come before what needs them", () => {
  const [definition, deployment] = ["CustomResourceDefinition", "Deployment"].map((kind) => ({
    apiVersion: "v1",
    kind,
    metadata: { name: "one" },
  })) as [KubeObject, KubeObject];
  expect(inParts([deployment, definition])).toEqual({ definitions: [definition], others: [deployment] });
});
