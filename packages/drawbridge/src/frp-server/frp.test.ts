import { describe, expect, it } from "vitest";
import { deriveFrpToken } from "../host/frpc/token.ts";
import { tokenHash } from "../kit/crypto.ts";
import { frpsDeployment } from "./deployment.ts";
import { seed, serverPlan } from "./frp.fixture.ts";
import { frpNetworkPolicy } from "./network.ts";
import { deriveMetricsPassword } from "./secrets.ts";

describe("secrets", () => {
  it("differ by container and by purpose, and are stable", () => {
    expect(deriveFrpToken(seed, "team-a/dev1")).toBe("AN336sJJg5hw7t_jdTISqPIxP-u2TMZg0KJ2tlOtawE");
    const all = [
      deriveFrpToken(seed, "team-a/dev1"),
      deriveFrpToken(seed, "team-a/dev2"),
      deriveFrpToken(`${seed}!`, "team-a/dev1"),
      deriveMetricsPassword(seed, "team-a/dev1"),
    ];
    expect(new Set(all).size).toBe(4);
  });

  it("are known to the cluster by their hash", () => {
    expect(tokenHash("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  });
});

describe("frps", () => {
  it("has no secret in its pod's annotations", () => {
    const password = deriveMetricsPassword(seed, "frp/frp");
    expect(JSON.stringify(frpsDeployment(serverPlan(), "hash"))).not.toContain(password);
  });

  it("reaches the API server at the address given, and nothing else", () => {
    const policy = (args: Record<string, unknown>) =>
      frpNetworkPolicy(serverPlan(args)).spec as unknown as { policyTypes: string[]; egress: unknown[] };
    const tcp = (ports: number[]) => ports.map((port) => ({ port, protocol: "TCP" }));
    const to = (cidr: string, ports = [443, 6443]) => ({ to: [{ ipBlock: { cidr } }], ports: tcp(ports) });
    expect(policy({}).policyTypes).toEqual(["Ingress", "Egress"]);
    expect(policy({}).egress).toEqual([to("192.0.2.10/32")]);
    const apiServer = [{ cidr: "192.0.2.10/32" }, { cidr: "2001:db8::/64", ports: [16443] }];
    expect(policy({ egress: { apiServer } }).egress).toEqual([
      to("192.0.2.10/32"),
      to("2001:db8::/64", [16443]),
    ]);
    expect(policy({ egress: { apiServer: [] } }).egress).toBeUndefined();
  });
});
