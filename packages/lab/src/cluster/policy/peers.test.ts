import { expect, test } from "vitest";
import { endpointsOf, ownerless } from "./peers.ts";

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
