import { describe, expect, it } from "vitest";
import { gateway, planOf } from "./plan.fixture.ts";
import { primaryUrl } from "./plan.ts";

const http = { name: "http", port: 8080 };

/** What objects are made of: test/recorded. */
describe("the plan", () => {
  it("leaves what lies in a claim that exists to its owners and groups", () => {
    const groups = (args: Parameters<typeof planOf>[0]) => {
      const { fsGroup, supplementalGroups } = planOf(args);
      return { fsGroup, supplementalGroups };
    };
    const home = { claimName: "jupyter-alice" };
    expect(groups({ user: { gid: 2000 } })).toEqual({ fsGroup: 2000, supplementalGroups: [] });
    expect(groups({ home })).toEqual({ fsGroup: undefined, supplementalGroups: [100] });
    expect(groups({ home, pod: { fsGroup: 5, supplementalGroups: [6] } })).toEqual({
      fsGroup: 5,
      supplementalGroups: [6],
    });
  });

  it("gives the primary port's address", () => {
    const ports = [
      { ...http, primary: true, scheme: "https" as const },
      { name: "tb", port: 6006 },
    ];
    expect(primaryUrl(planOf({ access: { gateway }, ports }))).toBe(
      "https://dev1.team-a.dev.example.com:8080",
    );
    expect(primaryUrl(planOf({ ports }))).toBe("https://dev1.team-a.svc.cluster.local:8080");
    expect(primaryUrl(planOf({ ports: [http] }))).toBeUndefined();
  });
});
