/**
 * Every attack on the API server's policies, on a real API server with the real policies, by people with exactly the
 * rights that it takes. The same attacks against the running gateway: test/lab/attacks.test.ts.
 */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ApiServer, startApiServer } from "../../scripts/lib/engine/api-server.ts";
import { accepted } from "../support/attacks/accepted.ts";
import { apiAttacks, olderAttacks } from "../support/attacks/api-attacks.ts";
import type { ApiObject, ApiUser } from "../support/attacks/api-user.ts";
import type { Who } from "../support/attacks/attack.ts";
import { service } from "../support/attacks/kubernetes.ts";
import { container, containerObjects, routeToService, toService } from "../support/attacks/made.ts";
import { specSchema, stepsFrom } from "../support/attacks/one-step.ts";
import { route } from "../support/attacks/route.ts";
import { addIstioKinds, install, policiesStand, usersOf } from "../support/attacks/server.ts";
import {
  accountObjects,
  admissionObjects,
  older,
  placeOf,
  policiesOf,
  stage,
} from "../support/attacks/stage.ts";
import { recordedRoutes } from "./recorded-routes.fixture.ts";
import {
  harmless,
  judgedKinds,
  servedKinds,
  servedSubresources,
  statusAlone,
  versionsOf,
  withinItsNamespace,
} from "./subresources.fixture.ts";

const place = placeOf("one");
const judged = { policies: "gateway" };
let api: ApiServer;
let users: Readonly<Record<Who, ApiUser>>;

beforeAll(async () => {
  api = await startApiServer();
  await addIstioKinds(api);
  await install(api, accountObjects);
  await install(api, [...stage(place, judged), ...older(place)]);
  await install(
    api,
    policiesOf(place).flatMap((one) => admissionObjects(one, judged)),
  );
  await policiesStand(api);
  users = await usersOf(api);
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
      expect(await attack.twin(user, place)).toMatchObject({ message: "" });
      const answer = await attack.attempt(user, place);
      expect(answer.message).toMatch(attack.refusal);
      const owner = `drawbridge.ssh-gateway.${place.gateway.namespace}.${place.gateway.name}`;
      expect(answer.message).toContain(
        `${owner}${attack.policy === "" ? "" : `.${attack.policy}`}' with binding`,
      );
      expect([403, 422]).toContain(answer.status);
    },
  );
});

describe("goes on", () => {
  it.each(accepted.map((one) => [one.name, one] as const))("%s", async (_name, { who, act }) => {
    expect(await act(users[who], place)).toMatchObject({ message: "" });
  });
});

describe("what the components make passes the policies, by the deployer's hand", () => {
  const taken = async (objects: readonly ApiObject[]) => {
    for (const object of objects) {
      const answer = await users.deployer.apply(object, { dryRun: true });
      expect(`${object.kind}: ${answer.message}`).toBe(`${object.kind}: `);
    }
  };
  const property = <T>(of: fc.Arbitrary<T>, objects: (args: T) => ApiObject[], numRuns: number) =>
    fc.assert(
      fc.asyncProperty(of, (args) => taken(objects(args))),
      { numRuns },
    );

  it("whatever a container's arguments are", () =>
    property(container, (args) => containerObjects(place, args), 60));
  it("whatever a route's to a Service are", () =>
    property(toService, (args) => routeToService(place, args), 40));
  it("as an earlier version made it, which teams have until they are brought up again", async () => {
    const routes = recordedRoutes(place);
    expect(routes.length).toBeGreaterThan(1);
    await taken(routes);
  });
});

describe("one step away from what the components make", () => {
  const schemaOf = async (kind: string) =>
    specSchema(await api.kubectl(["get", "crd", `${kind}.networking.istio.io`, "-o", "json"]));
  /** What the API server says to each step. */
  const answers = async (user: ApiUser, object: ApiObject, kind: string) => {
    const steps = stepsFrom(object.spec, await schemaOf(kind));
    const said: [path: string, message: string][] = [];
    for (const [path, spec] of steps)
      said.push([path, (await user.apply({ ...object, spec }, { dryRun: true })).message]);
    return said;
  };
  const identities = ["spiffe://example.com/user/alice", "spiffe://example.com/user/bob"];
  const egress = { internet: true, deny: [], allow: [], dns: [] } as const;
  const box = { name: "box", ports: [8080, 8081], allowIdentities: [], egress, frp: false };

  it.each<[string, ApiObject[]]>([
    ["a container", containerObjects(place, box)],
    ["one for some people", containerObjects(place, { ...box, ports: [], allowIdentities: identities })],
  ])("of %s, each other route is refused, by every field that Istio has", async (_, [route]) => {
    const said = await answers(users.deployer, route as ApiObject, "virtualservices");
    // Another gateway is not ours to judge.
    expect(said.filter(([, message]) => message === "")).toEqual([["gateways.0 changed", ""]]);
    // A few the kind's own schema refuses first.
    const byPolicy = said.filter(([, message]) => message.includes("ValidatingAdmissionPolicy"));
    expect(byPolicy.length).toBeGreaterThan(45);
    expect(said.length - byPolicy.length).toBeLessThan(8);
  });
});

describe("a team's quota", () => {
  it.each(["NodePort", "LoadBalancer"])(
    "has no Service of type %s, which takes a port of all nodes",
    async (type) => {
      const of = (spec: Record<string, unknown>) =>
        users.deployer.apply(service(place, "deployer", spec), { dryRun: true });
      const answer = await of({ clusterIP: undefined, type });
      expect(answer.message).toMatch(/exceeded quota: team, requested: .*services\.nodeports=1/);
      expect(await of({ clusterIP: undefined, type: "ClusterIP" })).toMatchObject({ message: "" });
    },
  );
});

describe("beside the main resource", () => {
  it("each kind that a policy judges has what a policy judges, and what changes nothing that a policy reads", async () => {
    const served = await servedSubresources(api, place);
    const unjudged = [...served].flatMap(([name, judged]) => (judged ? [] : [name]));
    expect(unjudged.sort()).toEqual(Object.keys(harmless).sort());
  });

  it("each kind that stands in a namespace is judged, or reaches nothing beyond it", async () => {
    const judged = judgedKinds(place).filter((kind) => kind !== "/namespaces" && !kind.endsWith("/*"));
    const known = [...judged, ...Object.values(withinItsNamespace).flat()];
    expect(await servedKinds(api)).toEqual([...new Set(known)].sort());
  });

  it("a route is judged in every version that is served", async () => {
    const versions = await versionsOf(api, "networking.istio.io", "virtualservices");
    expect(versions.length).toBeGreaterThan(1);
    for (const version of versions) {
      const of = (object: ApiObject) => ({ ...object, apiVersion: `networking.istio.io/${version}` });
      expect(await users.deployer.apply(of(route(place)), { dryRun: true })).toMatchObject({ message: "" });
      const foreign = await users.deployer.apply(of(route(place, { hosts: ["*"] })), { dryRun: true });
      expect(foreign.message).toMatch(/the hosts of a route on gateway/);
    }
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
