import { expect, it } from "vitest";
import { type Figures, figuresFor, lineThrough } from "./figures.ts";
import { type Demand, planFor } from "./plan.ts";

const figures: Figures = {
  routeSeconds: { base: 0.1, each: 0.0001 },
  istiodSeconds: { base: 0.02, each: 0.00005 },
  routeBytes: 400,
  heapBytes: { base: 10_000_000, each: 70_000 },
  tunnelBytes: 36_000,
  busySeconds: 0.001,
  storedObjects: 14,
  storedBytes: 20_000,
  storageBytes: 60_000,
  apiServerBytes: 100_000,
  istiodBytes: 50_000,
  scheduleSeconds: 0.02,
  previewSeconds: { base: 3, each: 0.1 },
  upSeconds: { base: 5, each: 0.2 },
  previewBytes: { base: 300_000_000, each: 6_000_000 },
};
const demand: Demand = {
  teams: 1000,
  containersPerTeam: 50,
  people: 10_000,
  tunnelsPerPerson: 2,
  busyShare: 0.1,
  changesPerHour: 1800,
  routeSeconds: 0.5,
};

it("reckons what a demand needs", () => {
  expect(planFor(demand, figures)).toEqual({
    containers: 50_000,
    clusters: 5,
    own: { containers: 10_000, teams: 200, people: 2000 },
    nodes: 91,
    gateways: 3,
    proxies: 6,
    routesPerGateway: 3334,
    routeSeconds: expect.closeTo(0.4334, 10),
    tunnels: 1334,
    tunnelBytes: 48_024_000,
    heapBytes: 243_380_000,
    busyCores: expect.closeTo(0.1334, 10),
    pushBytes: 2_667_200,
    istiodCores: expect.closeTo(0.1 * 0.1867 * 2, 10),
    istiodBytes: 500_000_000,
    objects: 140_000,
    storedBytes: 200_000_000,
    storageBytes: 600_000_000,
    apiServerBytes: 1_000_000_000,
    scheduleSeconds: 200,
    previewSeconds: 8,
    upSeconds: 15,
    previewBytes: 600_000_000,
    runners: 7,
  });
});

it("has one of each for one team", () => {
  const small = planFor({ ...demand, teams: 1, people: 10 }, figures);
  expect(small).toMatchObject({ clusters: 1, nodes: 1, gateways: 1, proxies: 2, tunnels: 20, runners: 1 });
});

it("draws lines, and says which figure the bench does not have", () => {
  expect(lineThrough([10, 3], [100, 12])).toEqual({ base: 2, each: 0.1 });
  const empty = { meta: { commit: "", versions: {}, provider: "", full: false } };
  expect(() => figuresFor(empty)).toThrow("the bench has no figure accepted_1000 of reach");
});
