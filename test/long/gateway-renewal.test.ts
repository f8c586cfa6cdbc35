/** A certificate that is renewed, as cert-manager does it in its Secret, while sessions are open. */
import { connect } from "node:tls";
import { afterAll, beforeAll, expect, it } from "vitest";
import { testStack } from "../../scripts/lib/engine/engine.ts";
import { apply, eventually, gatewayStats, Laptop } from "../../scripts/lib/lab/lab.ts";
import { type Certificate, TestCa, tlsSecret } from "../support/lab/certificates.ts";
import {
  byGateway,
  drainSeconds,
  endStack,
  testContainer,
  testGateway,
  testNamespace,
} from "../support/lab/cluster.ts";
import { closeAll, openCounters, podsOf } from "../support/stacks/gateways.ts";

const team = "team-renew";
const name = "gw-renew";
const domain = "renew.example.com";
const serverName = `ssh.${domain}`;
const host = `base.${team}.${domain}`;
const listenerCounters = [
  "listener_manager_listener_in_place_updated",
  "listener_manager_listener_modified",
  "listener_manager_total_filter_chains_draining",
];

let laptop: Laptop;
let ca: TestCa;
let client: Certificate;
let address: string;
let stack: Awaited<ReturnType<typeof testStack>>;

async function program() {
  const clientCa = ca.cert;
  const gateway = testGateway(name, {
    domain,
    listeners: { tls: { certificate: { secretName: "server" }, clientCa } },
  });
  const container = testContainer(
    "base",
    { namespace: team, access: byGateway(gateway), authorizedKeys: [laptop.publicKey] },
    [testNamespace(team)],
  );
  return { address: gateway.address, endpoints: gateway.endpoints, knownHosts: container.knownHosts };
}

/** Writes a new certificate into the Secret, and returns what clients should then see. */
async function renew(file: string): Promise<string> {
  const issued = await ca.issue(file, { subject: "/CN=gateway", names: `DNS=*.${domain}` });
  await apply(tlsSecret(name, "server", issued));
  return issued.cert.replaceAll(/-----[A-Z ]+-----|\s/g, "");
}

/** The certificate that the gateway shows a new client. */
function shown(): Promise<string> {
  const { cert, key } = client;
  return new Promise((resolve, reject) => {
    const socket = connect(
      { host: address, port: 443, servername: serverName, ca: ca.cert, cert, key },
      () => {
        resolve(socket.getPeerCertificate().raw.toString("base64"));
        socket.destroy();
      },
    );
    socket.on("error", reject);
  });
}

beforeAll(async () => {
  laptop = await Laptop.create();
  ca = await TestCa.create("corp");
  client = await ca.issue("alice", { subject: "/CN=alice", names: "URI=spiffe://example.com/user/alice" });
  stack = await testStack(program);
  const { outputs } = await stack.stack.up();
  address = outputs.address?.value as string;
  await renew("first");
  const endpoints = outputs.endpoints?.value as { tls: string } | undefined;
  const files = `--ca ${ca.certFile} --cert ${client.certFile} --key ${client.keyFile}`;
  const command = `${process.execPath} --conditions=@drawbridge/source ${process.cwd()}/packages/cli/src/main.ts`;
  const block = [
    `Host base\n HostName ${host}\n User jovyan`,
    ` ProxyCommand ${command} proxy --via ${endpoints?.tls} --server-name ${serverName} ${files} --host %h --port %p`,
  ];
  await laptop.configure(block.join("\n"), outputs.knownHosts?.value as string);
  await eventually("a login", async () => (await laptop.ssh(["base", "true"])).code === 0, 120);
});

afterAll(() => endStack(stack, [team], laptop, ca));

it("is shown to the next client, and ends no session", async () => {
  const sessions = await openCounters(laptop, "base", 5);
  try {
    const before = await gatewayStats(name, podsOf(name), listenerCounters);
    const old = await shown();
    for (const file of ["second", "third"]) {
      const renewed = await renew(file);
      expect(renewed).not.toBe(old);
      await eventually("the renewed certificate", async () => (await shown()) === renewed, 120);
    }
    await new Promise((resolve) => setTimeout(resolve, drainSeconds * 3 * 1000));
    expect(await gatewayStats(name, podsOf(name), listenerCounters)).toEqual(before);
    const states = sessions.map(({ alive, unbroken }) => ({ alive, unbroken }));
    expect(states).toEqual(Array(5).fill({ alive: true, unbroken: true }));
  } finally {
    await closeAll(sessions);
  }
});
