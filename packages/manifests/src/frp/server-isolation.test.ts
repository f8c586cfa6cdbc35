import { expect, it } from "vitest";
import { serverPlan } from "./frp.fixture.ts";
import { frpNetworkPolicy } from "./network-policy.ts";
import { frpUnits, unitsFile } from "./units.ts";

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

it("tells the authorizer other limits, and none for clients whose addresses a gateway hides", () => {
  const limits = (args: Record<string, unknown>) => {
    const { data } = frpUnits(serverPlan(args)) as unknown as { data: Record<string, string> };
    return JSON.parse(data[unitsFile] ?? "").limits;
  };
  expect(limits({})).toBe(undefined);
  const perClient = { connectionsPerMinute: 60, burst: 20 };
  expect(limits({ connectionLimits: { perClient } })).toEqual({
    perClient,
    perClientAndContainer: { connectionsPerMinute: 30, burst: 4 },
  });
  const connectTls = {
    dnsName: "frp.example.com",
    secretName: "x",
    gateway: { namespace: "istio", selector: { istio: "ingressgateway" } },
  };
  expect(limits({ connectTls })).toEqual({ perClient: null, perClientAndContainer: null });
});
