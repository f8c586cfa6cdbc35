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

  it("reaches nothing where no API server is named", () => {
    const { spec } = frpNetworkPolicy(serverPlan({ egress: { apiServer: [] } }));
    expect(spec).toMatchObject({ policyTypes: ["Ingress", "Egress"] });
    expect(spec).not.toHaveProperty("egress");
  });
});
