import { describe, expect, it } from "vitest";
import { gateway, planOf, templateOf } from "./plan.fixture.ts";
import { primaryUrl } from "./plan.ts";
import { homeClaimName } from "./volumes.ts";

const http = { name: "http", port: 8080 };

describe("the plan", () => {
  it("decides every name once", () => {
    const { names, homePath, hostNames, hostIdentity, gatewayPorts, hasSshd } = planOf({
      access: { gateway },
    });
    expect({ names, homePath, hostNames, hostIdentity, gatewayPorts, hasSshd }).toEqual({
      names: {
        workload: "dev1",
        service: "dev1",
        home: "dev1-home",
        persist: "dev1-persist",
        authorizedKeys: "dev1-authorized-keys",
        hostKey: "dev1-host-key",
        sshdConfig: "dev1-sshd",
        route: "dev1-ssh",
        sshpod: "dev1-sshpod",
        secretEnv: "dev1-env",
      },
      homePath: "/home/jovyan",
      hostNames: ["dev1.team-a.dev.example.com", "dev1.team-a.svc.cluster.local"],
      hostIdentity: "team-a/dev1",
      gatewayPorts: [{ name: "ssh", port: 22 }],
      hasSshd: true,
    });
  });

  it("uses claims that exist already", () => {
    const adopted = planOf({ home: { claimName: "jupyter-alice" }, persist: { claimName: "conda" } });
    expect([homeClaimName(planOf()), homeClaimName(adopted)]).toEqual(["dev1-home", "jupyter-alice"]);
  });

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
    // The Secrets that a group would read.
    const { securityContext, volumes } = templateOf({ home }).spec;
    expect(securityContext).toMatchObject({ supplementalGroups: [100] });
    expect(securityContext).not.toHaveProperty("fsGroup");
    expect(volumes.find(({ name }) => name === "host-key")).toMatchObject({ secret: { defaultMode: 0o444 } });
    expect(templateOf().spec.volumes.find(({ name }) => name === "host-key")).toMatchObject({
      secret: { defaultMode: 0o440 },
    });
  });

  it("sends the primary port and the chosen ones through the gateway", () => {
    const ports = [
      { ...http, primary: true },
      { name: "db", port: 5432 },
      { name: "tb", port: 6006, throughGateway: true },
    ];
    const plan = planOf({ access: { gateway }, ports });
    expect(plan.gatewayPorts.map(({ port }) => port)).toEqual([22, 8080, 6006]);
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
