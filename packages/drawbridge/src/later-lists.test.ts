/** A list that comes later and turns out empty lets nobody in: what Kubernetes and Istio take for "any" is never made of it. */
import { expect, it } from "vitest";
import { containerNetworkPolicy } from "./dev-container/network-policy.ts";
import { gateway, hostKey, planOf } from "./dev-container/plan.fixture.ts";
import { statefulSet } from "./dev-container/stateful-set.ts";
import { sshdManifests } from "./host/sshd/files.ts";
import { identityPolicy } from "./istio/listeners.ts";
import { clientCertificatePattern, hostRoute } from "./istio/ssh-route.ts";
import { sshGatewaySchema } from "./ssh-gateway/args-checks.ts";
import { gatewayLoadBalancer, gatewayNetworkPolicy } from "./ssh-gateway/network.ts";
import { planSshGateway } from "./ssh-gateway/plan.ts";

/** A list that comes later, and the same list as it is written. */
const both = <T>(...items: T[]) => [Promise.resolve(items) as never, items as never] as const;

/** An object when all that comes later in it has come. */
async function whole(value: unknown): Promise<unknown> {
  const known = await value;
  if (Array.isArray(known)) return Promise.all(known.map(whole));
  if (typeof known !== "object" || known === null) return known;
  const entries = Object.entries(known).map(async ([key, inner]) => [key, await whole(inner)]);
  return Object.fromEntries(await Promise.all(entries));
}

const gatewayPlan = (args: object) =>
  planSshGateway(
    "ssh",
    sshGatewaySchema.parse({ domain: "dev.example.com", loadBalancer: { preset: "generic" }, ...args }),
  );

const balancerOf = (sourceRanges: never) => {
  const plan = gatewayPlan({ loadBalancer: { preset: "generic", sourceRanges } });
  return gatewayLoadBalancer(plan, plan.loadBalancer ?? expect.fail("no balancer"));
};
const clientCa = "-----BEGIN CERTIFICATE-----";
const policyOf = (identities: never) =>
  identityPolicy(
    gatewayPlan({
      listeners: { tls: { certificate: { secretName: "tls" }, clientCa } },
      allowIdentities: identities,
    }),
  );
const routeOf = (allowIdentities: never) => {
  const plan = planOf({ access: { gateway: { ...gateway, mutualTls: true }, allowIdentities } });
  return hostRoute(plan, plan.access.gateway ?? expect.fail("no gateway"));
};
const principalsOf = (principals: never) =>
  sshdManifests(planOf({ ssh: { userCa: { keys: planOf().authorizedKeys as never, principals } } }), hostKey)
    .authorizedKeys;
const wallOf = (istiod: never) => gatewayNetworkPolicy(gatewayPlan({ egress: { istiod } }));
const egressOf = (deny: never) => containerNetworkPolicy(planOf({ egress: { deny } }));
const podOf = (imagePullSecrets: never) =>
  statefulSet(planOf({ pod: { imagePullSecrets } }), undefined, undefined);

it.each<[string, (list: never) => unknown, string]>([
  ["source ranges", balancerOf, "192.0.2.0/24"],
  ["a gateway's identities", policyOf, "spiffe://example.com/user/alice"],
  ["a container's identities", routeOf, "spiffe://example.com/user/alice"],
  ["principals", principalsOf, "alice"],
  ["networks of istiod", wallOf, "192.0.2.0/24"],
  ["denied networks", egressOf, "203.0.113.0/24"],
  ["pull secrets", podOf, "regcred"],
])("%s are, when known, what the same plain ones are", async (_, of, item) => {
  const [later, plain] = both(item);
  expect(await whole(of(later))).toEqual(await whole(of(plain)));
});

it.each<[string, (list: never) => unknown, object]>([
  ["source ranges", balancerOf, { spec: { loadBalancerSourceRanges: ["255.255.255.255/32"] } }],
  ["a gateway's identities", policyOf, { spec: { action: "ALLOW", rules: [] } }],
  ["principals", principalsOf, { data: { principals: "\n" } }],
])("%s that come to nothing let nobody in", async (_, of, expected) => {
  const [later] = both();
  expect(await whole(of(later))).toMatchObject(expected);
});

it("a container's identities that come to nothing match no certificate, not one without a name either", async () => {
  const [later] = both();
  const headers = (
    (await whole(routeOf(later))) as {
      spec: { http: { match: { headers: Record<string, { regex: string }> }[] }[] };
    }
  ).spec.http[0]?.match[0]?.headers;
  const pattern = new RegExp(`^(?:${headers?.["x-forwarded-client-cert"]?.regex})$`);
  expect(pattern.source).toContain(clientCertificatePattern([]));
  for (const uri of ["", "spiffe://example.com/user/alice"]) {
    expect(`Hash=ab;Subject="CN=alice";URI=${uri}`).not.toMatch(pattern);
  }
});

it("networks of istiod that come to nothing open none", async () => {
  const [later, plain] = both();
  expect(await whole(wallOf(later))).toEqual(await whole(wallOf(plain)));
});
