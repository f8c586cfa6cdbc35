/** Names that two stacks claim, which only the cluster can know: the gateway must go on for everybody else. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { takesOver, testStack } from "../../scripts/lib/engine/engine.ts";
import {
  apply,
  type CounterSession,
  eventually,
  gatewayStats,
  getObject,
  kubectl,
  Laptop,
} from "../../scripts/lib/lab/lab.ts";
import { connectRoute } from "../support/attacks/route.ts";
import { knockWith, opened } from "../support/clients/tunnel-client.ts";
import {
  byGateway,
  drainSeconds,
  endStack,
  testContainer,
  testGateway,
  testNamespace,
} from "../support/lab/cluster.ts";
import { podsOf } from "../support/stacks/gateways.ts";

const team = "team-claim";
const ours = "gw-claim";
const domain = "claim.example.com";
const hostOf = (container: string, namespace = team) => `${container}.${namespace}.${domain}`;
const counters = [
  "listener_manager_listener_in_place_updated",
  "listener_manager_listener_modified",
  "listener_manager_total_filter_chains_draining",
];

type Opened = Awaited<ReturnType<typeof testStack>>;
let laptop: Laptop;
let first: Opened;
let second: Opened;
let address: string;
let session: CounterSession;
let before: Record<string, number>;

const stats = () => gatewayStats(ours, podsOf(ours), counters);
const container = (name: string, namespace: string, gateway: { name: string; namespace: string }) =>
  testContainer(name, {
    namespace,
    access: { gateway: { ...gateway, domain, plainPort: 80 } },
    authorizedKeys: [laptop.publicKey],
    wait: true,
  });

async function program() {
  const gateway = testGateway(ours, { domain });
  const namespace = testNamespace(team);
  const declared = ["one", "other"].map((name) =>
    testContainer(name, { namespace: team, access: byGateway(gateway), authorizedKeys: [laptop.publicKey] }, [
      namespace,
    ]),
  );
  return {
    address: gateway.address,
    sshConfig: declared.map((one) => one.sshConfig),
    knownHosts: declared.map((one) => one.knownHosts),
  };
}

beforeAll(async () => {
  laptop = await Laptop.create();
  first = await testStack(program);
  const { outputs } = await first.stack.up();
  address = outputs.address?.value as string;
  const texts = (output: string) => ((outputs[output]?.value ?? []) as string[]).join("\n");
  await laptop.configure(texts("sshConfig"), texts("knownHosts"));
  for (const name of ["one", "other"]) await eventually(`a login to ${name}`, () => reaches(name, name));
  session = laptop.openCounter("one");
  await session.reached(5);
  before = await stats();
  second = await testStack(async () => ({}), { project: "drawbridge-other" });
});

afterAll(async () => {
  await session?.close();
  await second?.stack.destroy();
  await endStack(first, [team], laptop);
  await second?.removeState();
});

/** Whether a login by a container's name ends in that container. */
async function reaches(name: string, expected: string): Promise<boolean> {
  return (await laptop.ssh([name, "hostname"])).stdout === `${expected}-0\n`;
}

/** Nobody else noticed: both names lead where they led, and the open session lives. */
async function undisturbed(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, drainSeconds * 3 * 1000));
  expect([await reaches("one", "one"), await reaches("other", "other")]).toEqual([true, true]);
  expect({ alive: session.alive, unbroken: session.unbroken }).toEqual({ alive: true, unbroken: true });
  expect(await stats()).toEqual(before);
}

it("a second stack's container of the same name is unnoticed by the first's", async () => {
  const uid = async () =>
    (await getObject<{ metadata: { uid: string } }>(["-n", team, "statefulset", "one"])).metadata.uid;
  const owner = await uid();
  second.setProgram(async () => {
    container("one", team, { name: ours, namespace: ours });
  });
  if (await takesOver()) {
    await second.stack.up();
    // Both stacks have it now, and an end of the second would take it away: it forgets it.
    await second.stack.importStack({ version: 3, deployment: {} });
  } else {
    await expect(second.stack.up()).rejects.toThrow(/already exists/);
    // What the second stack did not make, its end does not take away.
    await second.stack.destroy();
  }
  expect(await uid()).toBe(owner);
  await undisturbed();
});

it("a second gateway of the same domain serves its own containers and none of the first's", async () => {
  const [name, namespace] = ["gw-claim-second", "team-claim-second"];
  second.setProgram(async () => {
    const gateway = testGateway(name, { domain });
    const theirs = testNamespace(namespace);
    testContainer("one", { namespace, access: byGateway(gateway), authorizedKeys: [laptop.publicKey] }, [
      theirs,
    ]);
    return { address: gateway.address };
  });
  const { outputs } = await second.stack.up();
  const door = { address: outputs.address?.value as string, port: 80 };
  await eventually(
    "the second gateway's own container",
    async () => (await knockWith(door, `${hostOf("one", namespace)}:22`)) === opened,
  );
  expect(await knockWith(door, `${hostOf("one")}:22`)).toBe("HTTP/1.1 404 Not Found");
  expect(await knockWith({ address, port: 80 }, `${hostOf("one", namespace)}:22`)).toBe(
    "HTTP/1.1 404 Not Found",
  );
  await undisturbed();
});

it("of two routes for one host the older one counts; its end gives the name away, but not the host key", async () => {
  const service = (name: string) => `${name}.${team}.svc.cluster.local`;
  await apply(connectRoute("late", team, ours, [hostOf("one"), service("one")], service("other")));
  await undisturbed();

  await kubectl(["-n", team, "delete", "virtualservice", "one-ssh"]);
  const stranger = await eventually("the other container's answer", async () => {
    const outcome = await laptop.ssh(["one", "hostname"]);
    return outcome.stderr.includes("REMOTE HOST IDENTIFICATION HAS CHANGED") && outcome;
  });
  expect({ code: stranger.code, stdout: stranger.stdout }).toEqual({ code: 255, stdout: "" });
  // A route that is gone ends no session that went by it.
  expect({ alive: session.alive, unbroken: session.unbroken }).toEqual({ alive: true, unbroken: true });
  expect(await reaches("other", "other")).toBe(true);
});
