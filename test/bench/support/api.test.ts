import { expect, it } from "vitest";
import { collectionOf } from "./api.ts";

it.each([
  ["v1", "Service", "/api/v1/namespaces/team-a/services"],
  ["networking.k8s.io/v1", "NetworkPolicy", "/apis/networking.k8s.io/v1/namespaces/team-a/networkpolicies"],
  ["networking.istio.io/v1", "Gateway", "/apis/networking.istio.io/v1/namespaces/team-a/gateways"],
])("finds the collection of %s %s", (apiVersion, kind, path) => {
  expect(collectionOf({ apiVersion, kind, metadata: { name: "a", namespace: "team-a" } })).toBe(path);
});
