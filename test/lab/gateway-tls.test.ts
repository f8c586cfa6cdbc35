/** The gateway's TLS listeners: who gets in with which certificate, from where, and what the audit log says. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testStack } from "../../scripts/lib/engine/engine.ts";
import { eventually, getObject, kubectl, Laptop } from "../../scripts/lib/lab/lab.ts";
import { ask, type Door, knockByHttp2, knockWith, opened } from "../support/clients/tunnel-client.ts";
import { type Certificate, TestCa } from "../support/lab/certificates.ts";
import {
  byGateway,
  endStack,
  namespaceWithCertificate,
  testContainer,
  testGateway,
  testNamespace,
} from "../support/lab/cluster.ts";
import { loadBalancerAddress } from "../support/lab/ingress-workload.ts";
import { fromOutside, withHosts } from "../support/lab/outside.ts";

const team = "team-tls";
/** Plain and mutual TLS side by side; TLS for some identities from some networks; TLS without client certificates. */
const gateways = ["both", "some", "simple"] as const;
type GatewayName = (typeof gateways)[number];
const domainOf = (name: GatewayName) => `${name}.example.com`;
const serverName = (name: GatewayName) => `ssh.${domainOf(name)}`;
const hostOf = (container: string, name: GatewayName) => `${container}.${team}.${domainOf(name)}:22`;
const alice = "spiffe://example.com/user/alice";
const bob = "spiffe://example.com/user/bob";

let laptop: Laptop;
let knownHosts: string;
let ca: TestCa;
let foreign: TestCa;
let stack: Awaited<ReturnType<typeof testStack>>;
const servers = {} as Record<GatewayName, Certificate>;
const addresses = {} as Record<GatewayName, string>;
const people = {} as Record<"alice" | "bob" | "late" | "stranger" | "subject" | "dns", Certificate>;

async function program() {
  const namespace = testNamespace(team);
  const opened = (name: GatewayName, args: Parameters<typeof testGateway>[1]) => {
    const secret = namespaceWithCertificate(`gw-${name}`, servers[name]);
    const common = { namespace: `gw-${name}`, createNamespace: false, admissionPolicy: false };
    const names = { domain: domainOf(name), dnsName: serverName(name) };
    return testGateway(name, { ...common, ...names, ...args }, [secret]);
  };
  const certificate = { secretName: "server" };
  const mutual = { certificate, clientCa: ca.cert };
  const both = opened("both", { listeners: { plain: {}, tls: mutual } });
  const some = opened("some", {
    listeners: { tls: mutual },
    allowIdentities: [alice],
    // The lab's own addresses, and one machine outside of it.
    loadBalancer: { preset: "generic", sourceRanges: ["10.0.0.0/8", "192.0.2.2/32"] },
  });
  const simple = opened("simple", { listeners: { tls: { certificate } } });
  const container = (name: string, args: Partial<Parameters<typeof testContainer>[1]>) =>
    testContainer(name, { namespace: team, authorizedKeys: [laptop.publicKey], ...args }, [namespace]);
  const declared = [
    container("open", { access: byGateway(both) }),
    container("closed", { access: { ...byGateway(both), allowIdentities: [alice] } }),
    container("third", { access: byGateway(some) }),
    container("fourth", { access: byGateway(simple) }),
  ];
  return { knownHosts: declared.map((one) => one.knownHosts) };
}

const plain = (): Door => ({ address: addresses.both, port: 80 });
const tls = (name: GatewayName, client?: Certificate): Door => ({
  address: addresses[name],
  port: 443,
  tls: { serverName: serverName(name), ca: ca.cert, ...(client === undefined ? {} : { client }) },
});

beforeAll(async () => {
  laptop = await Laptop.create();
  [ca, foreign] = await Promise.all([TestCa.create("corp"), TestCa.create("foreign")]);
  for (const name of gateways) {
    servers[name] = await ca.issue(name, { subject: "/CN=gateway", names: `DNS=*.${domainOf(name)}` });
  }
  const mallory = "spiffe://example.com/user/mallory";
  people.alice = await ca.issue("alice", { subject: "/CN=alice", names: `URI=${alice}` });
  people.bob = await ca.issue("bob", { subject: "/CN=bob", names: `URI=${bob}` });
  people.late = await ca.issue("late", { subject: "/CN=alice", names: `URI=${alice}`, expired: true });
  people.stranger = await foreign.issue("stranger", { subject: "/CN=alice", names: `URI=${alice}` });
  // Certificates of the right CA whose other parts read like Alice's URI.
  const subject = `/O=a;URI=${alice.replaceAll("/", "\\/")};"/CN=";URI=${alice.replaceAll("/", "\\/")};DNS="`;
  people.subject = await ca.issue("subject", { subject, names: `URI=${mallory}` });
  people.dns = await ca.issue("dns", { subject: "/CN=m", names: `URI=${mallory}\nDNS=a;URI=${alice}` });
  stack = await testStack(program);
  const { outputs } = await stack.stack.up();
  knownHosts = ((outputs.knownHosts?.value ?? []) as string[]).join("");
  for (const name of gateways) {
    addresses[name] = await loadBalancerAddress(`gw-${name}`, name);
  }
  const first: [Door, string][] = [
    [tls("both", people.alice), hostOf("open", "both")],
    [tls("both", people.alice), hostOf("closed", "both")],
    [tls("some", people.alice), hostOf("third", "some")],
    [tls("simple"), hostOf("fourth", "simple")],
    [plain(), hostOf("open", "both")],
  ];
  for (const [door, host] of first) {
    await eventually(`a tunnel to ${host}`, async () => {
      const answer = await knockWith(door, host);
      if (answer !== opened) throw new Error(answer);
      return true;
    });
  }
});

afterAll(() => endStack(stack, [team], laptop, ca, foreign));

describe("mutual TLS", () => {
  it.each([
    ["a certificate of the CA", () => people.alice, opened],
    ["any other of the CA", () => people.bob, opened],
    ["no certificate", () => undefined, "ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED"],
    ["an expired one", () => people.late, "ERR_SSL_SSL/TLS_ALERT_CERTIFICATE_EXPIRED"],
    ["a foreign CA's", () => people.stranger, "ERR_SSL_TLSV1_ALERT_UNKNOWN_CA"],
  ])("answers %s", async (_what, client, expected) => {
    expect(await knockWith(tls("both", client()), hostOf("open", "both"))).toBe(expected);
  });
});

describe("a container's allowIdentities", () => {
  const fake = (subject: string) =>
    `X-Forwarded-Client-Cert: Hash=${"0a".repeat(32)};Subject="${subject}";URI=${alice}\r\n`;

  it.each([
    ["the identity", () => tls("both", people.alice), "", opened],
    ["another identity", () => tls("both", people.bob), "", "HTTP/1.1 404 Not Found"],
    ["another with the header faked", () => tls("both", people.bob), fake(""), "HTTP/1.1 404 Not Found"],
    ["the header faked on the plain listener", plain, fake("CN=alice"), "HTTP/1.1 404 Not Found"],
    ["a subject that reads like it", () => tls("both", people.subject), "", "HTTP/1.1 404 Not Found"],
    ["a DNS name that reads like it", () => tls("both", people.dns), "", "HTTP/1.1 404 Not Found"],
  ])("answer %s", async (_what, door, headers, expected) => {
    expect(await knockWith(door(), hostOf("closed", "both"), headers)).toBe(expected);
  });
});

describe("the gateway's allowIdentities", () => {
  it.each([
    ["the identity", () => people.alice, opened],
    ["another identity", () => people.bob, "HTTP/1.1 403 Forbidden"],
  ])("answer %s", async (_what, client, expected) => {
    expect(await knockWith(tls("some", client()), hostOf("third", "some"))).toBe(expected);
  });
});

describe("source ranges", () => {
  it.each([
    ["192.0.2.2", "an address inside", { code: 0, stdout: "" }],
    ["192.0.2.3", "one outside", { code: 1, stdout: "" }],
  ])("judge %s, %s", async (source, _what, expected) => {
    const { code, stdout } = await fromOutside(source, ["nc", "-z", "-w", "3", addresses.some, "443"]);
    expect({ code, stdout }).toEqual(expected);
  });
});

describe("what a TLS listener refuses, each beside its twin", () => {
  const own = hostOf("fourth", "simple");
  it.each([
    ["the container", own, opened],
    ["another port of it", own.replace(":22", ":8080"), "HTTP/1.1 404 Not Found"],
    ["an unknown host", hostOf("fifth", "simple"), "HTTP/1.1 404 Not Found"],
    ["another gateway's container", hostOf("open", "both"), "HTTP/1.1 404 Not Found"],
    ["the API server's name", "kubernetes.default.svc.cluster.local:443", "HTTP/1.1 404 Not Found"],
    ["an address", "10.96.0.1:443", "HTTP/1.1 404 Not Found"],
  ])("%s", async (_what, authority, expected) => {
    expect(await knockWith(tls("simple"), authority)).toBe(expected);
  });

  it("a plain GET", async () => {
    expect(await ask(tls("simple"), `GET / HTTP/1.1\r\nHost: ${own}\r\n\r\n`)).toBe("HTTP/1.1 404 Not Found");
  });
});

describe("versions of HTTP", () => {
  it("1.0 opens a tunnel on both listeners", async () => {
    const doors: [Door, string][] = [
      [plain(), hostOf("open", "both")],
      [tls("simple"), hostOf("fourth", "simple")],
    ];
    const answers = await Promise.all(doors.map(([door, host]) => knockWith(door, host, "", "1.0")));
    expect(answers).toEqual([opened, opened].map((line) => line.replace("1.1", "1.0")));
  });

  it("2 opens a tunnel on both listeners, to declared containers only", async () => {
    expect(await knockByHttp2(plain(), hostOf("open", "both"))).toBe("200, SSH-2.0");
    expect(await knockByHttp2(tls("both", people.alice), hostOf("closed", "both"))).toBe("200, SSH-2.0");
    expect(await knockByHttp2(tls("both", people.bob), hostOf("closed", "both"))).toBe("404");
  });
});

describe("real clients", () => {
  const login = async (gateway: GatewayName, container: string, proxyCommand: string) => {
    await laptop.configure("", knownHosts);
    const host = hostOf(container, gateway).replace(":22", "");
    const words = [
      "-F",
      laptop.configFile,
      "-o",
      `ProxyCommand=${proxyCommand}`,
      `jovyan@${host}`,
      "echo in",
    ];
    return withHosts(addresses[gateway], [serverName(gateway)], ["ssh", ...words], laptop.env);
  };
  const loggedIn = { code: 0, stdout: "in\n" };

  it("proxytunnel passes a TLS listener that asks for no certificate", async () => {
    const command = `proxytunnel -q -E -C ${ca.certFile} -p ${serverName("simple")}:443 -d %h:%p`;
    expect(await login("simple", "fourth", command)).toMatchObject(loggedIn);
  });

  it("drawbridge proxy passes both kinds", async () => {
    const proxy = `${process.execPath} packages/cli/src/main.ts proxy --host %h --port %p --ca ${ca.certFile}`;
    const { certFile, keyFile } = people.alice;
    const mutual = `${proxy} --via https://${serverName("both")} --cert ${certFile} --key ${keyFile}`;
    expect(await login("both", "closed", mutual)).toMatchObject(loggedIn);
    expect(await login("simple", "fourth", `${proxy} --via https://${serverName("simple")}`)).toMatchObject(
      loggedIn,
    );
  });
});

describe("the audit log", () => {
  /** The lines about one authority, in order, without what differs from run to run. */
  async function lines(name: GatewayName, authority: string): Promise<Record<string, unknown>[]> {
    const text = await kubectl(["-n", `gw-${name}`, "logs", `deployment/${name}`, "--tail=-1"]);
    return text
      .split("\n")
      .filter((line) => line.startsWith("{") && line.includes('"event"'))
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .filter((entry) => entry.authority === authority);
  }

  it("tells when a tunnel was asked for, stood and ended, of whom, to where and how much", async () => {
    // Its other name, which no other test uses.
    const authority = `closed.${team}.svc.cluster.local:22`;
    expect(await knockWith(tls("both", people.alice), authority)).toBe(opened);
    const entries = await eventually("the lines", async () => {
      const found = await lines("both", authority);
      return found.length >= 3 && found;
    });
    const [first, , last] = entries;
    const { status } = await getObject<{ status: { podIP: string } }>(["-n", team, "pod", "closed-0"]);
    const common = { client: first?.client, identity: alice, method: "CONNECT", authority };
    const connection = first?.connection;
    const steady = entries.map(({ time: _, durationMs: __, bytesOut: ___, ...rest }) => rest);
    expect(steady).toEqual([
      {
        ...common,
        event: "DownstreamStart",
        status: 0,
        flags: "-",
        upstream: null,
        upstreamLocal: null,
        bytesIn: 0,
        connection,
      },
      {
        ...common,
        event: "DownstreamTunnelSuccessfullyEstablished",
        status: 200,
        flags: "-",
        upstream: `${status.podIP}:22`,
        upstreamLocal: last?.upstreamLocal,
        bytesIn: 0,
        connection,
      },
      {
        ...common,
        event: "DownstreamEnd",
        status: 200,
        flags: last?.flags,
        upstream: `${status.podIP}:22`,
        upstreamLocal: last?.upstreamLocal,
        bytesIn: 0,
        connection,
      },
    ]);
    expect(first?.client).toMatch(/^10\.[0-9.]+:[0-9]+$/);
    expect(last?.upstreamLocal).toMatch(/^10\.[0-9.]+:[0-9]+$/);
    expect(first?.time).toMatch(/^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z$/);
    // sshd's first line, "SSH-2.0-OpenSSH…", and its offer of algorithms.
    expect(last?.bytesOut).toBeGreaterThan(20);
    expect(last?.durationMs).toBeGreaterThanOrEqual(0);
  });

  it("shows the client's own address", async () => {
    const authority = `open.${team}.svc.cluster.local:22`;
    const [host = "", port = ""] = authority.split(":");
    const connect = ["nc", "-N", "-X", "connect", "-x", `${addresses.both}:80`, host, port];
    await fromOutside("192.0.2.7", connect);
    const [first] = await eventually("the line", async () => {
      const found = await lines("both", authority);
      return found.length > 0 && found;
    });
    expect(first?.client).toMatch(/^192\.0\.2\.7:[0-9]+$/);
  });

  it("tells of a refusal that nothing was dialled", async () => {
    const authority = hostOf("nobody", "both");
    await knockWith(tls("both", people.bob), authority);
    const entries = await eventually("the lines", async () => {
      const found = await lines("both", authority);
      return found.length >= 2 && found;
    });
    expect(
      entries.map(({ event, identity, status, upstream }) => ({ event, identity, status, upstream })),
    ).toEqual([
      { event: "DownstreamStart", identity: bob, status: 0, upstream: null },
      { event: "DownstreamEnd", identity: bob, status: 404, upstream: null },
    ]);
  });
});
