/** What the components make in a team's namespace, of arguments made at random. */
import fc from "fast-check";
import { devContainerSchema } from "../../../packages/drawbridge/src/dev-container/args-checks.ts";
import { containerNetworkPolicy } from "../../../packages/drawbridge/src/dev-container/network-policy.ts";
import { planDevContainer } from "../../../packages/drawbridge/src/dev-container/plan.ts";
import { hostService } from "../../../packages/drawbridge/src/host/objects.ts";
import { hostRoute } from "../../../packages/drawbridge/src/istio/ssh-route.ts";
import { parseArgs } from "../../../packages/drawbridge/src/kit/args-error.ts";
import { sshRouteSchema } from "../../../packages/drawbridge/src/ssh-route/args.ts";
import { planSshRoute } from "../../../packages/drawbridge/src/ssh-route/plan.ts";
import type { ApiObject } from "./api-user.ts";
import type { Place } from "./attack.ts";
import { allowedNetwork } from "./kubernetes.ts";

const key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAICOp7m/T0uXYQbLaxCyYOBnH+nILl2oMszTc7NNkhxbN alice";
const label = fc.stringMatching(/^[a-z]([-a-z0-9]{0,20}[a-z0-9])?$/);

const word = fc.stringMatching(/^[A-Za-z0-9_-][A-Za-z0-9._-]{0,20}$/);
const identity = fc
  .tuple(fc.stringMatching(/^[a-z0-9._-]{1,30}$/), fc.array(word, { minLength: 1, maxLength: 4 }))
  .map(([domain, path]) => `spiffe://${[domain, ...path].join("/")}`);
const allowIdentities = fc.array(identity, { maxLength: 3 });

export const container = fc.record({
  name: label,
  ports: fc.uniqueArray(fc.integer({ min: 1024, max: 65535 }), { maxLength: 8 }),
  allowIdentities,
  egress: fc.record({
    internet: fc.boolean(),
    deny: fc.constantFrom([], ["203.0.113.0/24", "2001:db8::/32"]),
    allow: fc.constantFrom([], [{ cidr: allowedNetwork, ports: [443] }, { cidr: "198.51.100.7/32" }]),
    dns: fc.constantFrom([], ["10.7.0.53/32"]),
  }),
  frp: fc.boolean(),
});

type One<A> = A extends fc.Arbitrary<infer T> ? T : never;

const frpAccess = {
  server: {
    serverAddr: "frp.frp.svc.cluster.local",
    caBundle: "-----BEGIN CERTIFICATE-----\nca\n-----END CERTIFICATE-----\n",
    domain: "ssh.example.com",
    authorizer: { namespace: "frp", serviceAccountName: "frp" },
  },
  address: "frp.example.com",
};

const gatewayOf = ({ gateway }: Place) => ({ ...gateway, tlsPort: 443, mutualTls: true });
const objects = (...all: object[]) => all as unknown as ApiObject[];

/** Its objects that policies judge, the route first. */
export function containerObjects(
  place: Place,
  { name, frp, ports, allowIdentities, egress }: One<typeof container>,
) {
  const gateway = gatewayOf(place);
  const plan = planDevContainer(
    name,
    parseArgs("DevContainer", name, devContainerSchema, {
      egress,
      namespace: place.team,
      image: "registry.example.com/devcontainer:1.4.0",
      authorizedKeys: [key],
      hostKey: { seed: "correct horse battery staple correct horse" },
      access: { gateway, allowIdentities, ...(frp ? { frp: frpAccess } : {}) },
      ports: ports.map((port, index) => ({ name: `p-${index}`, port, throughGateway: index > 0 })),
    }),
  );
  return objects(hostRoute(plan, gateway), containerNetworkPolicy(plan), hostService(plan, plan.ports));
}

export const toService = fc.record({
  name: label,
  serviceName: label,
  allowIdentities,
  port: fc.integer({ min: 1, max: 65_535 }),
});

export function routeToService(
  place: Place,
  { name, serviceName, allowIdentities, port }: One<typeof toService>,
) {
  const gateway = gatewayOf(place);
  const args = { namespace: place.team, serviceName, port, userName: "ubuntu", hostPublicKeys: [key] };
  const plan = planSshRoute(
    name,
    parseArgs("SshRoute", name, sshRouteSchema, { ...args, access: { gateway, allowIdentities } }),
  );
  return objects(hostRoute(plan, gateway));
}
