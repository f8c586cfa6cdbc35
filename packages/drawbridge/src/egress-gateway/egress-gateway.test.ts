import { describe, expect, it } from "vitest";
import { parseArgs } from "../kit/args-error.ts";
import { faultsFrom } from "../kit/faults.fixture.ts";
import { podsWithSshd } from "../kubernetes/network-policy.ts";
import { privateNetworks } from "../kubernetes/networks.ts";
import { type EgressGatewayInput, egressGatewaySchema } from "./args.ts";
import { egressDeployment } from "./deployment.ts";
import { egressNetworkPolicy } from "./network.ts";
import { planEgressGateway } from "./plan.ts";
import { proxyConfig } from "./proxy-config.ts";

const required = {
  authorizer: { image: "registry.example.com/programs:1.0.0" },
  egress: { apiServer: [{ cidr: "192.0.2.10/32" }] },
};
const plan = (args: Partial<EgressGatewayInput> = {}) =>
  planEgressGateway(
    "egress",
    parseArgs("EgressGateway", "egress", egressGatewaySchema, { ...required, ...args }),
  );
const faults = (args: object) =>
  faultsFrom(() => parseArgs("EgressGateway", "egress", egressGatewaySchema, args));

it.each([
  [required, []],
  [{ ...required, resolvers: ["dns.example.com"] }, ['resolvers[0]: "dns.example.com" is no address']],
  [{ authorizer: required.authorizer }, ["egress: is missing"]],
  [
    { ...required, replicas: 2, autoscaling: { maxReplicas: 3 } },
    ["replicas: cannot be set with autoscaling"],
  ],
  [{ ...required, autoscaling: { minReplicas: 3, maxReplicas: 2 } }, ["autoscaling.maxReplicas: 2 is below"]],
  [{ ...required, tunnelsPerContainer: 0 }, ["tunnelsPerContainer: 0"]],
  [{ ...required, resources: { memory: "512m" } }, ['resources.memory: "512m" is less than 1Mi']],
])("of %j the faults are %j", (args, expected) => {
  expect(faults(args)).toEqual(expected.map((fault) => expect.stringContaining(fault)));
});

describe("the network", () => {
  it("lets containers in, and leads to the internet, DNS and the API server", () => {
    const { spec } = egressNetworkPolicy(
      plan({ egress: { ...required.egress, deny: ["203.0.113.0/24"] } }),
    ) as unknown as { spec: { ingress: unknown[]; egress: unknown[] } };
    expect(spec.ingress).toEqual([
      {
        from: podsWithSshd,
        ports: [{ port: 3128, protocol: "TCP" }],
      },
    ]);
    const [internet, dns, apiServer, ...others] = spec.egress;
    expect(internet).toMatchObject({
      to: [
        { ipBlock: { except: [...privateNetworks.ipv4, "203.0.113.0/24"] } },
        { ipBlock: { except: [...privateNetworks.ipv6] } },
      ],
    });
    expect(dns).toMatchObject({ ports: [{ port: 53 }, { port: 53 }] });
    expect(apiServer).toMatchObject({ to: [{ ipBlock: { cidr: "192.0.2.10/32" } }] });
    expect(others).toEqual([]);
  });
});

it("no container reaches what the gateway itself reaches", () => {
  const text = JSON.stringify(
    egressDeployment(plan({ egress: { ...required.egress, deny: ["203.0.113.0/24"] } })),
  );
  expect(text).toContain('"--deny=203.0.113.0/24","--deny=192.0.2.10/32"');
});

it("Envoy refuses what nobody decided, and has no admin listener", () => {
  const config = JSON.parse(proxyConfig);
  expect(Object.keys(config)).toEqual(["node", "overload_manager", "layered_runtime", "static_resources"]);
  const [egress] = config.static_resources.listeners;
  const { http_filters: filters, route_config } = egress.filter_chains[0].filters[0].typed_config;
  expect(filters.map(({ name }: { name: string }) => name)).toEqual([
    "envoy.filters.http.ext_proc",
    "envoy.filters.http.set_filter_state",
    "router",
  ]);
  const routes: { match: object; route?: object; direct_response?: { status: number } }[] =
    route_config.virtual_hosts[0].routes;
  expect(routes.map(({ match, route }) => ["dynamic_metadata" in match, route !== undefined])).toEqual([
    [true, true],
    [true, true],
    [false, false],
    [false, false],
  ]);
  expect(routes.map((route) => route.direct_response?.status)).toEqual([undefined, undefined, 503, 503]);
  expect(route_config.request_headers_to_remove).toContain("proxy-authorization");
});
