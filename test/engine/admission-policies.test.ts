/**
 * Every attack on the API server's policies, on a real API server with the real policies, by people with exactly the
 * rights that it takes. The same attacks against the running gateway: test/lab/attacks.test.ts.
 */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  accessorNetworkPolicy,
  accessorService,
  containerNetworkPolicy,
  devContainerSchema,
  hostRoute,
  hostService,
  parseArgs,
  planDevContainer,
  planStorage,
  storageAccessorSchema,
  storageProxyRefSchema,
  storageRoute,
} from "../../packages/manifests/src/index.ts";
import { accepted } from "../support/attacks/accepted.ts";
import { apiAttacks, olderAttacks } from "../support/attacks/api-attacks.ts";
import type { ApiObject, ApiUser } from "../support/attacks/api-user.ts";
import { everybody, type Owner, type Who } from "../support/attacks/attack.ts";
import { allowedNetwork } from "../support/attacks/kubernetes.ts";
import { route } from "../support/attacks/route.ts";
import { addIstioKinds, install, policiesStand, userOf } from "../support/attacks/server.ts";
import {
  accountObjects,
  admissionObjects,
  older,
  placeOf,
  policiesOf,
  stage,
} from "../support/attacks/stage.ts";
import {
  harmless,
  judgedSubresources,
  servedSubresources,
  statusAlone,
} from "../support/attacks/subresources.ts";
import { type ApiServer, startApiServer } from "../support/engine/api-server.ts";

/** The gateway's policies judge the first, the storage proxy's the second: otherwise two would refuse the same Gateway. */
const places = { gateway: placeOf("one"), proxy: placeOf("two") } as const;
const place = places.gateway;
const judged = (of: Owner) => ({ policies: of });
let api: ApiServer;
let users: Readonly<Record<Who, ApiUser>>;

beforeAll(async () => {
  api = await startApiServer();
  await addIstioKinds(api);
  await install(api, accountObjects);
  for (const of of ["gateway", "proxy"] as const) {
    await install(api, [...stage(places[of], judged(of)), ...older(places[of])]);
    const policies = policiesOf(places[of]).filter((one) => one.of === of);
    await install(
      api,
      policies.flatMap((one) => admissionObjects(one, judged(of))),
    );
  }
  await policiesStand(api);
  const all = await Promise.all(everybody.map(async (who) => [who, await userOf(api, who)] as const));
  users = Object.fromEntries(all) as Record<Who, ApiUser>;
});

afterAll(async () => {
  for (const user of Object.values(users ?? {})) user.close();
  await api?.stop();
});

describe("an attack is refused in the policy's words, and its twin is taken", () => {
  it.each([...apiAttacks, ...olderAttacks].map((attack) => [attack.name, attack] as const))(
    "%s",
    async (_name, attack) => {
      const user = users[attack.who];
      const { of = "gateway" } = attack;
      expect(await attack.twin(user, places[of])).toMatchObject({ message: "" });
      const answer = await attack.attempt(user, places[of]);
      expect(answer.message).toMatch(attack.refusal);
      const owner = `drawbridge-${places[of][of].namespace}-${places[of][of].name}`;
      expect(answer.message).toContain(
        `${owner}${attack.policy === "" ? "" : `-${attack.policy}`}' with binding`,
      );
      expect([403, 422]).toContain(answer.status);
    },
  );
});

describe("goes on", () => {
  it.each(accepted.map((one) => [one.name, one] as const))("%s", async (_name, { who, act }) => {
    for (const one of Object.values(places)) {
      expect(await act(users[who], one)).toMatchObject({ message: "" });
    }
  });
});

const label = fc.stringMatching(/^[a-z]([-a-z0-9]{0,20}[a-z0-9])?$/);
const key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAICOp7m/T0uXYQbLaxCyYOBnH+nILl2oMszTc7NNkhxbN alice";

const container = fc.record({
  name: label,
  ports: fc.uniqueArray(fc.integer({ min: 1024, max: 65535 }), { maxLength: 3 }),
  allowIdentities: fc.constantFrom([], ["spiffe://example.com/user/alice"]),
  egress: fc.record({
    internet: fc.boolean(),
    deny: fc.constantFrom([], ["203.0.113.0/24", "2001:db8::/32"]),
    allow: fc.constantFrom([], [{ cidr: allowedNetwork, ports: [443] }, { cidr: "198.51.100.7/32" }]),
    dns: fc.constantFrom([], ["10.7.0.53/32"]),
  }),
  frp: fc.boolean(),
});

const frpAccess = {
  server: {
    serverAddr: "frp.frp.svc.cluster.local",
    caBundle: "-----BEGIN CERTIFICATE-----\nca\n-----END CERTIFICATE-----\n",
    domain: "ssh.example.com",
    authorizer: { namespace: "frp", serviceAccountName: "frp" },
  },
  connectAddress: "frp.example.com",
};

describe("what the components make passes the policies, by the deployer's hand", () => {
  it("whatever a container's arguments are", async () => {
    await fc.assert(
      fc.asyncProperty(container, async ({ frp, ports, allowIdentities, ...rest }) => {
        const plan = planDevContainer(
          "box",
          parseArgs("DevContainer", "box", devContainerSchema, {
            ...rest,
            namespace: place.team,
            image: "registry.example.com/devcontainer:1.4.0",
            authorizedKeys: [key],
            hostKey: { seed: "correct horse battery staple correct horse" },
            access: {
              gateway: { ...place.gateway, tlsPort: 443, mutualTls: true },
              allowIdentities,
              ...(frp ? { frp: frpAccess } : {}),
            },
            ports: ports.map((port, index) => ({ name: `p-${index}`, port, throughGateway: index > 0 })),
          }),
        );
        const { gateway } = plan.access;
        const objects = [
          containerNetworkPolicy(plan),
          hostService(plan, plan.ports),
          ...(gateway === undefined ? [] : [hostRoute(plan, gateway)]),
        ];
        for (const object of objects) {
          const answer = await users.deployer.apply(object as unknown as ApiObject, { dryRun: true });
          expect(answer.message).toBe("");
        }
      }),
      { numRuns: 40 },
    );
  });

  it("and a storage's", async () => {
    const proxy = storageProxyRefSchema.parse({
      name: "files",
      namespace: "files",
      mode: "istio",
      dnsName: "files.example.com",
    });
    const plan = planStorage(
      "models",
      parseArgs("StorageAccessor", "models", storageAccessorSchema, {
        namespace: place.team,
        browse: { mode: "istio", proxy, credentials: [{ user: "alice", password: "correct-horse-battery" }] },
      }),
    );
    for (const object of [
      accessorService(plan),
      accessorNetworkPolicy(plan, proxy),
      storageRoute(plan, proxy),
    ]) {
      const answer = await users.deployer.apply(object as unknown as ApiObject, { dryRun: true });
      expect(answer.message).toBe("");
    }
  });
});

describe("beside the main resource", () => {
  it("each kind that a policy judges has what a policy judges, and what changes nothing that a policy reads", async () => {
    const judged = judgedSubresources(place);
    expect(judged.filter((name) => name in harmless)).toEqual([]);
    expect(await servedSubresources(api, place)).toEqual([...judged, ...Object.keys(harmless)].sort());
  });

  const left = Object.keys(harmless).filter((name) => harmless[name] === statusAlone);
  /** What the bystander has of each kind. */
  const own: Readonly<Record<string, readonly [kind: string, spec: object]>> = {
    destinationrules: ["DestinationRule", { host: "own" }],
    gateways: ["Gateway", { selector: { istio: "own" } }],
    serviceentries: ["ServiceEntry", { hosts: ["own.example.org"] }],
    virtualservices: ["VirtualService", { hosts: ["own.example.org"] }],
    workloadentries: ["WorkloadEntry", { address: "192.0.2.7" }],
    workloadgroups: ["WorkloadGroup", { template: {} }],
  };

  it.each(left)("%s takes nothing but the status", async (name) => {
    const [kind, spec] = own[name.split("/")[1] ?? ""] as readonly [string, object];
    const user = users.bystander;
    const metadata = { name: "status", namespace: place.bystander, labels: { own: "yes" } };
    const object = { apiVersion: "networking.istio.io/v1", kind, metadata, spec };
    expect(await user.apply(object)).toMatchObject({ message: "" });
    const patch = {
      metadata: { labels: { own: "no" }, annotations: { own: "no" } },
      spec: { exportTo: ["*"], selector: { istio: "other" }, address: "192.0.2.8" },
      status: { conditions: [{ type: "Own", status: "True" }] },
    };
    expect(await user.merge(object, patch, { subresource: "status" })).toMatchObject({ message: "" });
    const at = ["-n", place.bystander, "get", `${kind.toLowerCase()}.networking.istio.io`, "status"];
    const stored = JSON.parse(await api.kubectl([...at, "-o", "json"])) as Record<string, unknown>;
    expect(stored).toMatchObject({ spec, metadata: { labels: { own: "yes" } }, status: patch.status });
    expect(stored.spec).toEqual(spec);
    expect(stored.metadata).not.toHaveProperty("annotations");
  });
});

it("what cannot be judged is refused", async () => {
  const { metadata, apiVersion, kind } = route(place);
  const answer = await users.deployer.apply({ apiVersion, kind, metadata }, { dryRun: true });
  expect(answer.message).toMatch(/resulted in error: .*no such key: spec/);
});
