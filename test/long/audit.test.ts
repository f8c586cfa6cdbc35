/** Who did what: the gateway's lines and sshd's joined, by the recipe of the page, on real lines. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { testStack } from "../../scripts/lib/engine/engine.ts";
import { eventually, getObject, Laptop, run } from "../../scripts/lib/lab/lab.ts";
import { pageBlock } from "../../scripts/lib/pages/page-blocks.ts";
import { TestCa } from "../support/lab/certificates.ts";
import {
  byGateway,
  endStack,
  namespaceWithCertificate,
  testContainer,
  testDomain,
  testGateway,
  testNamespace,
} from "../support/lab/cluster.ts";
import { loadBalancerAddress } from "../support/lab/ingress-workload.ts";
import { loginFromOutside, type Person } from "./many-people.fixture.ts";

const gatewayName = "gw-audit";
const team = "team-audit";
const people = 50;
const serverName = `ssh.${testDomain}`;
const authority = `box.${team}.${testDomain}:22`;
const identityOf = (name: string) => `spiffe://example.com/user/${name}`;

let laptop: Laptop;
let ca: TestCa;
let address: string;
let persons: Person[];
let keys: string[];
let stack: Awaited<ReturnType<typeof testStack>>;

async function makePerson(index: number): Promise<Person> {
  const name = `person-${index}`;
  const { certFile, keyFile } = await ca.issue(name, {
    subject: `/CN=${name}`,
    names: `URI=${identityOf(name)}`,
  });
  const sshKey = join(laptop.folder, name);
  const made = await run("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-C", name, "-f", sshKey]);
  if (made.code !== 0) throw new Error(made.stderr);
  return { name, from: `192.0.2.${100 + index}`, certFile, keyFile, sshKey };
}

beforeAll(async () => {
  laptop = await Laptop.create("audit");
  ca = await TestCa.create("audit");
  persons = [];
  for (let index = 0; index < people; index++) persons.push(await makePerson(index));
  keys = await Promise.all(
    persons.map(async ({ sshKey }) => (await readFile(`${sshKey}.pub`, "utf8")).trim()),
  );
  const server = await ca.issue("server", { subject: "/CN=gateway", names: `DNS=*.${testDomain}` });
  stack = await testStack(async () => {
    const secret = namespaceWithCertificate(gatewayName, server);
    const tls = { certificate: { secretName: "server" }, clientCa: ca.cert };
    const own = { namespace: gatewayName, createNamespace: false, dnsName: serverName };
    const gateway = testGateway(gatewayName, { ...own, listeners: { tls } }, [secret]);
    const container = testContainer(
      "box",
      {
        namespace: team,
        access: byGateway(gateway),
        authorizedKeys: keys,
        resources: { requests: { cpu: "20m" }, memory: "1Gi" },
      },
      [testNamespace(team)],
    );
    return { knownHosts: container.knownHosts };
  });
  const { outputs } = await stack.stack.up();
  await writeFile(join(laptop.folder, "known_hosts"), outputs.knownHosts?.value as string);
  address = await loadBalancerAddress(gatewayName, gatewayName);
});

afterAll(() => endStack(stack, [team, gatewayName], laptop, ca));

const loginAll = (some: readonly Person[]) =>
  loginFromOutside({
    gateway: { address, serverName, caFile: ca.certFile },
    authority,
    user: "jovyan",
    knownHosts: join(laptop.folder, "known_hosts"),
    command: "echo $SSH_CONNECTION",
    people: some,
  });

/** The page's own recipe, with this test's names. */
async function whoDidWhat(): Promise<string[][]> {
  const recipe = await pageBlock("docs/audit.md", "sh", "ssh-keygen -lf");
  const names = { GATEWAY: gatewayName, NAMESPACE: team, CONTAINER: "box" };
  const outcome = await run("sh", ["-euc", recipe], { env: names, cwd: laptop.folder });
  if (outcome.code !== 0) throw new Error(outcome.stderr);
  return outcome.stdout
    .trim()
    .split("\n")
    .map((line) => line.split("\t"));
}

it("joins 50 concurrent logins of different keys, each rightly", async () => {
  await eventually("a first login", async () => loginAll(persons.slice(0, 1)), 90);
  const sessions = await loginAll(persons);
  expect(Object.keys(sessions).length).toBe(people);
  const { status } = await getObject<{ status: { podIP: string } }>(["-n", team, "pod", "box-0"]);
  const expected = await Promise.all(
    persons.map(async ({ name, from, sshKey }) => {
      const { stdout } = await run("ssh-keygen", ["-lf", `${sshKey}.pub`]);
      const [, fingerprint = ""] = stdout.split(" ");
      // As the session itself saw it: address and port of the gateway, then of the pod.
      const [host, port, ...pod] = (sessions[name] ?? "").split(" ");
      expect(pod).toEqual([status.podIP, "22"]);
      return [from, identityOf(name), authority, `${host}:${port}`, "jovyan", fingerprint, name];
    }),
  );
  const rows = await whoDidWhat();
  // The time, the client's port and the gateway's connection number are not known beforehand.
  const joined = rows
    .map(([, client = "", identity, container, , local, user, fingerprint, comment]) => [
      client.split(":")[0],
      identity,
      container,
      local,
      user,
      fingerprint,
      comment,
    ])
    // One person had been in before; sessions that began at once are joined by their connection alone.
    .slice(1);
  expect([...joined].sort()).toEqual([...expected].sort());
  expect(
    rows.every(([time, , , , connection]) => /^2.*Z$/.test(time ?? "") && /^\d+$/.test(connection ?? "")),
  ).toBe(true);
  expect(new Set(rows.map(([, , , , connection]) => connection)).size).toBe(people + 1);
  console.log(rows[1]?.join("  "));
});
