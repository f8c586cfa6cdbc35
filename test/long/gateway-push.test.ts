/** What a container that restricts who may reach it costs: the size and time of the push to the gateway. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { clientCertificatePattern } from "../../packages/manifests/src/istio/ssh-route.ts";
import { metricsOf } from "../bench/support/metrics.ts";
import { knockWith, opened } from "../support/clients/tunnel-client.ts";
import { testStack } from "../support/engine/engine.ts";
import { byGateway, endStack, testContainer, testGateway, testNamespace } from "../support/lab/cluster.ts";
import { apply, eventually, gatewayStats, getObject, Laptop } from "../support/lab/lab.ts";
import { podsOf } from "../support/stacks/gateways.ts";

const team = "team-push";
const name = "gw-push";
/** Containers on the gateway while one more is added. */
const crowd = 300;
const listenerCounters = [
  "listener_manager_listener_in_place_updated",
  "listener_manager_listener_modified",
  "listener_manager_total_filter_chains_draining",
];

interface Route {
  metadata: { name: string; namespace: string; labels: Record<string, string> };
  spec: {
    hosts: string[];
    http: { match: { headers?: Record<string, { regex: string }> }[] }[];
  };
}

let laptop: Laptop;
let stack: Awaited<ReturnType<typeof testStack>>;
let address: string;
let model: Route;

beforeAll(async () => {
  laptop = await Laptop.create();
  stack = await testStack(async () => {
    const gateway = testGateway(name, { domain: "push.example.com" });
    testContainer(
      "base",
      { namespace: team, access: byGateway(gateway), authorizedKeys: [laptop.publicKey] },
      [testNamespace(team)],
    );
    return { address: gateway.address };
  });
  address = (await stack.stack.up()).outputs.address?.value as string;
  await eventually("the container", () => answers("base"));
  model = await getObject<Route>(["-n", team, "virtualservice", "base-ssh"]);
});

afterAll(() => endStack(stack, [team], laptop));

const answers = async (container: string) =>
  (await knockWith({ address, port: 80 }, `${container}.${team}.push.example.com:22`)) === opened;

/** The route of another container, which leads to the first one; with identities it lets in only those. */
function routeOf(container: string, identities: readonly string[]) {
  const headers = { "x-forwarded-client-cert": { regex: clientCertificatePattern(identities) } };
  const restricted = identities.length === 0 ? {} : { headers };
  const { hosts, http } = model.spec;
  return {
    apiVersion: "networking.istio.io/v1",
    kind: "VirtualService",
    metadata: { name: `${container}-ssh`, namespace: team, labels: model.metadata.labels },
    spec: {
      ...model.spec,
      hosts: hosts.map((host) => host.replace(/^base\./, `${container}.`)),
      http: http.map((rule) => ({
        ...rule,
        match: rule.match.map((match) => ({ ...match, ...restricted })),
      })),
    },
  };
}

/** istiod's own figures since its start. */
interface Pushed {
  /** Bytes sent, by kind of configuration. */
  readonly bytes: Readonly<Record<string, number>>;
  /** How often a proxy got something, and the seconds from the change to its being sent. */
  readonly count: number;
  readonly seconds: number;
}

async function pushed(): Promise<Pushed> {
  const text = await (await fetch("http://127.0.0.1:15014/metrics")).text();
  const bytes: Record<string, number> = {};
  for (const [, type = "", value] of text.matchAll(
    /^pilot_xds_config_size_bytes_sum\{.*type="[^"]*\.(\w+)".*\} (\S+)$/gm,
  )) {
    bytes[type] = (bytes[type] ?? 0) + Number(value);
  }
  const own = metricsOf(text, "istiod");
  return {
    bytes,
    count: own("pilot_proxy_convergence_time_count"),
    seconds: own("pilot_proxy_convergence_time_sum"),
  };
}

/** istiod's figures once it has been quiet for three seconds. */
async function settled(): Promise<Pushed> {
  let last = await pushed();
  return eventually("istiod's rest", async () => {
    await new Promise((resolve) => setTimeout(resolve, 3000));
    const now = await pushed();
    const quiet = now.count === last.count;
    last = now;
    return quiet && now;
  });
}

it("a restricted container costs bytes in the route table, and touches no listener", async () => {
  const stats = () => gatewayStats(name, podsOf(name), listenerCounters);
  const before = await stats();
  const people = Array.from({ length: 20 }, (_, index) => `spiffe://example.com/user/person-${index}`);
  const sizes: number[] = [];
  for (const identities of [[], people.slice(0, 1), people]) {
    await apply(...Array.from({ length: crowd }, (_, index) => routeOf(`crowd-${index}`, identities)));
    const start = await settled();
    const added = `added-${identities.length}`;
    const began = performance.now();
    // Open to all, so that its arrival shows.
    await apply(routeOf(added, []));
    await eventually("the new container", () => answers(added));
    const liveMs = Math.round(performance.now() - began);
    const end = await settled();
    const sent = Object.fromEntries(
      Object.entries(end.bytes)
        .map(([type, total]) => [type, total - (start.bytes[type] ?? 0)] as const)
        .filter(([, size]) => size > 0),
    );
    const sendMs = Math.round(((end.seconds - start.seconds) / (end.count - start.count)) * 1000);
    console.log(
      `${crowd} containers with ${identities.length} identities each, one more: ${JSON.stringify(sent)} bytes in ${end.count - start.count} push, sent after ${sendMs} ms, live after ${liveMs} ms`,
    );
    sizes.push(sent.RouteConfiguration ?? 0);
  }
  const [open = 0, one = 0, twenty = 0] = sizes;
  expect(open).toBeGreaterThan(0);
  // The pattern stands in the table once for each restricted container.
  expect(one - open).toBeGreaterThan(crowd * clientCertificatePattern(people.slice(0, 1)).length);
  expect(twenty - open).toBeGreaterThan(crowd * clientCertificatePattern(people).length);
  // istiod sends the listeners along as they were, and Envoy sees that nothing changed.
  expect(await stats()).toEqual(before);
});
