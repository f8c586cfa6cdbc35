import { expect, it } from "vitest";
import { change } from "../sample.fixture.ts";
import { loadBalancerReplaced } from "./load-balancer-replaced.ts";

const balancer = { spec: { type: "LoadBalancer" } };

it("refuses to replace, delete or demote a LoadBalancer", () => {
  const lost = ["the LoadBalancer ssh would be replaced or deleted, and with it its address"];
  for (const op of ["replace", "delete"]) {
    expect(loadBalancerReplaced.check(change("Service", "ssh", { op, before: balancer }))).toEqual(lost);
  }
  const demoted = change("Service", "ssh", { before: balancer, after: { spec: { type: "ClusterIP" } } });
  expect(loadBalancerReplaced.check(demoted)).toEqual([
    "the Service ssh would stop being a LoadBalancer and lose its address",
  ]);
});

it("lets its annotations change, and other Services go", () => {
  expect(loadBalancerReplaced.check(change("Service", "ssh", { before: balancer, after: balancer }))).toEqual(
    [],
  );
  expect(
    loadBalancerReplaced.check(change("Service", "dev1", { op: "delete", before: { spec: {} } })),
  ).toEqual([]);
});
