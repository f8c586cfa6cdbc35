/** Who may wake a container, and who may not, over the real gateway; beside each attack the same thing done rightly. */

import { connect as connectTcp, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import * as k8s from "@pulumi/kubernetes";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { imageRef } from "../../packages/lab/src/images/index.ts";
import { eventually, getObject, kubectl, run } from "../../scripts/lib/lab/lab.ts";
import { deploy, handToNeighbour, neighbour } from "../../scripts/lib/stacks/deployer.ts";
import { type Certificate, TestCa } from "../support/lab/certificates.ts";
import { loadBalancerAddress } from "../support/lab/ingress-workload.ts";
import { startProbe, stopProbe } from "../support/lab/probe-pod.ts";
import { restricted } from "../support/lab/restricted.ts";
import { byHand, IdleStack, quickStop } from "../support/stacks/idle-stack.ts";

const sleeper = { idle: byHand, ...quickStop };
const wakesPerHour = 4;
const elsewhere = "team-attacker";
const greeting = "SSH-2.0-OpenSSH_10.0\r\n";

let idle: IdleStack;
let strict: IdleStack;
let ca: TestCa;
let alice: Certificate;
let server: Certificate;

beforeAll(async () => {
  ca = await TestCa.create("corp");
  alice = await ca.issue("alice", { subject: "/CN=alice", names: "URI=spiffe://example.com/user/alice" });
  server = await ca.issue("server", { subject: "/CN=gateway", names: "DNS=*.strict.example.com" });
  idle = await IdleStack.create("team-attacked", { idle: { wakesPerHour } });
  await idle.up({ dev1: sleeper, dev2: sleeper, dev3: sleeper });
  strict = await IdleStack.create("team-strict", {
    gateway: {
      domain: "strict.example.com",
      dnsName: "ssh.strict.example.com",
      createNamespace: false,
      listeners: { tls: { certificate: { secretName: "server" }, clientCa: ca.cert } },
    },
    before: () => {
      const metadata = { name: "gw-strict" };
      const namespace = new k8s.core.v1.Namespace("gw-strict", { metadata });
      const stringData = { "tls.crt": server.cert, "tls.key": server.key };
      return [
        new k8s.core.v1.Secret(
          "server",
          { metadata: { name: "server", namespace: "gw-strict" }, type: "kubernetes.io/tls", stringData },
          { dependsOn: namespace },
        ),
      ];
    },
  });
  await strict.up({ dev1: sleeper });
  for (const name of ["dev1", "dev2", "dev3"]) await idle.login(name);
  await handToNeighbour(elsewhere);
  await startProbe("bystander");
});

afterAll(async () => {
  await stopProbe("bystander");
  await kubectl(["delete", "namespace", elsewhere, "--ignore-not-found", "--wait=false"]);
  await Promise.all([idle.close(), strict.close(), ca.remove()]);
});

/** What comes through a tunnel to a container after these words, at most for some seconds. */
function said(socket: Socket, authority: string, words: string, seconds = 4): Promise<string> {
  return new Promise((resolve) => {
    let text = "";
    const end = () => {
      clearTimeout(timer);
      socket.destroy();
      resolve(text);
    };
    const timer = setTimeout(end, seconds * 1000);
    socket.on("data", (bytes: Buffer) => {
      text += bytes.toString("latin1");
      if (text.includes("\r\nSSH-2.0-OpenSSH")) end();
    });
    socket.on("error", end);
    socket.on("close", end);
    socket.write(`CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n\r\n`);
    setTimeout(() => socket.write(words), 300);
  });
}

const host = (name: string) => `${name}.${idle.team}.dev.example.com:22`;
const knock = (name: string, words: string, seconds = 4) =>
  said(connectTcp(80, idle.address), host(name), words, seconds);

describe("by words that are no SSH", () => {
  it.each([
    ["nothing at all", ""],
    ["HTTP", "GET / HTTP/1.1\r\nHost: dev1\r\n\r\n"],
    ["a TLS hello", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"],
    ["a word", "hello\r\n"],
    ["SSH of the first kind", "SSH-1.5-old\r\n"],
    ["a proxy's header", "PROXY TCP4 10.0.0.1 10.0.0.2 1 22\r\n"],
    ["many bytes", "x".repeat(100_000)],
  ])("%s wakes nobody, and hears nothing", async (_what, words) => {
    if ((await idle.replicas("dev1")) !== 0) await idle.putToSleep("dev1");
    expect(await knock("dev1", words, 3)).toMatch(/^HTTP\/1\.1 200 OK\r\n(.+\r\n)*\r\n$/);
    expect(await idle.replicas("dev1")).toBe(0);
  });

  it("the twin: a SSH greeting wakes", async () => {
    expect(await knock("dev1", greeting, 60)).toMatch(
      /\r\n\r\ndrawbridge: it is being woken\r\nSSH-2\.0-OpenSSH/,
    );
    expect(await idle.replicas("dev1")).toBe(1);
  });
});

describe("without a certificate, where one is demanded", () => {
  it("nobody wakes; with it the same words do", async () => {
    const address = await loadBalancerAddress("gw-strict", "gw-strict");
    await strict.putToSleep("dev1");
    const authority = `dev1.${strict.team}.strict.example.com:22`;
    const foreign = await TestCa.create("foreign");
    const mallory = await foreign.issue("mallory", {
      subject: "/CN=alice",
      names: "URI=spiffe://example.com/user/alice",
    });
    const by = (client?: Certificate) =>
      connectTls({
        host: address,
        port: 443,
        servername: "ssh.strict.example.com",
        ca: ca.cert,
        ...(client === undefined ? {} : { cert: client.cert, key: client.key }),
      });
    for (const client of [undefined, mallory]) expect(await said(by(client), authority, greeting)).toBe("");
    expect(await strict.replicas("dev1")).toBe(0);
    expect(await said(by(alice), authority, greeting, 60)).toMatch(
      /\r\n\r\ndrawbridge: it is being woken\r\nSSH-2\.0-OpenSSH/,
    );
    expect(await strict.replicas("dev1")).toBe(1);
    await foreign.remove();
  });
});

describe("past the gateway", () => {
  interface Slice {
    readonly endpoints: readonly { readonly addresses: readonly string[] }[];
    readonly ports: readonly { readonly port: number }[];
  }
  const doorOf = async (name: string) => {
    const slice = await getObject<Slice>(["-n", idle.team, "endpointslice", `${name}-asleep`]);
    return { address: slice.endpoints[0]?.addresses[0] ?? "", port: slice.ports[0]?.port ?? 0 };
  };

  it("another pod does not get to the activator's ports; the gateway does", async () => {
    await idle.putToSleep("dev2");
    const { address, port } = await doorOf("dev2");
    const script = `(printf 'SSH-2.0-x\\r\\n'; sleep 3) | nc -w 4 ${address} ${port}`;
    const tried = await run("kubectl", ["-n", "bystander", "exec", "probe", "--", "sh", "-c", script]);
    expect(tried.stdout).toBe("");
    expect(await idle.replicas("dev2")).toBe(0);
    expect(await knock("dev2", greeting, 60)).toMatch(/SSH-2\.0-OpenSSH/);
  });

  it("a neighbour's Service, slice, route and WorkloadEntry do not lead to the activator", async () => {
    await idle.putToSleep("dev3");
    const { address, port } = await doorOf("dev3");
    const own = (kind: string, apiVersion: string, further: object, name = "door") => ({
      apiVersion,
      kind,
      metadata: { name, namespace: elsewhere },
      ...further,
    });
    const service = own("Service", "v1", {
      spec: { clusterIP: "None", selector: { run: "door" }, ports: [{ name: "tcp-ssh", port: 22 }] },
    });
    const labels = { "kubernetes.io/service-name": "door" };
    const attempts: [string, object, RegExp][] = [
      [
        "a slice",
        {
          apiVersion: "discovery.k8s.io/v1",
          kind: "EndpointSlice",
          metadata: { name: "door-1", namespace: elsewhere, labels },
          addressType: "IPv4",
          endpoints: [{ addresses: [address] }],
          ports: [{ name: "tcp-ssh", port, protocol: "TCP" }],
        },
        /cannot create resource "endpointslices"|cannot get resource|forbidden/,
      ],
      [
        "a WorkloadEntry",
        own("WorkloadEntry", "networking.istio.io/v1", { spec: { address, ports: { "tcp-ssh": port } } }),
        /forbidden/,
      ],
      [
        "a route to the sleeper",
        own("VirtualService", "networking.istio.io/v1", {
          spec: {
            hosts: [`door.${elsewhere}.dev.example.com`, `door.${elsewhere}.svc.cluster.local`],
            gateways: [`${idle.gatewayName}/${idle.gatewayName}`],
            exportTo: [idle.gatewayName],
            http: [
              {
                name: "ssh-connect",
                match: [{ authority: { regex: "[^:]+:22" } }],
                route: [
                  { destination: { host: `dev3.${idle.team}.svc.cluster.local`, port: { number: 22 } } },
                ],
              },
            ],
          },
        }),
        /must lead to a Service of its own namespace/,
      ],
    ];
    for (const [what, object, reason] of attempts) {
      const outcome = await run("kubectl", [...neighbour, "apply", "-f", "-"], {
        input: JSON.stringify(object),
      });
      expect([what, outcome.code, outcome.stderr]).toEqual([what, 1, expect.stringMatching(reason)]);
    }
    // The twin: a Service of pods of their own is the neighbour's business.
    await deploy([service]);
    expect(await idle.replicas("dev3")).toBe(0);
    expect(await knock("dev3", greeting, 60)).toMatch(/SSH-2\.0-OpenSSH/);
  });
});

describe("by floods", () => {
  it(`wake a container ${wakesPerHour} times an hour at most, and another meanwhile as ever`, async () => {
    const wakes = async () =>
      (await idle.log("activator")).filter(
        ({ container, outcome }) => outcome === "wake" && container === `${idle.team}/dev2`,
      ).length;
    for (let round = 0; round < wakesPerHour + 2; round += 1) {
      await idle.putToSleep("dev2");
      const heard = await Promise.all(Array.from({ length: 60 }, () => knock("dev2", greeting, 20)));
      const refused = heard.filter((text) => text.includes("as often as it may be")).length;
      const full = heard.filter((text) => text.includes("connections wait for it already")).length;
      const arrived = heard.filter((text) => text.includes("SSH-2.0-OpenSSH")).length;
      console.log(`flood ${round + 1}: ${arrived} arrived, ${full} too many, ${refused} refused`);
    }
    // One of them was before the floods.
    expect(await wakes()).toBe(wakesPerHour);
    expect(await idle.replicas("dev2")).toBe(0);
    const { code, stderr } = await idle.wake("dev2");
    expect([code, stderr]).toEqual([255, expect.stringContaining(`it was woken ${wakesPerHour} times`)]);
    await idle.putToSleep("dev3");
    expect(await idle.wake("dev3")).toMatchObject({ code: 0 });
  });
});

describe("by what a team writes of its own containers", () => {
  /** What carries our label, with settings and a weight of the deployer. */
  const set = (name: string, settings: string, bytes = 0) => ({
    apiVersion: "apps/v1",
    kind: "StatefulSet",
    metadata: {
      name,
      namespace: elsewhere,
      labels: { "app.kubernetes.io/component": "dev-container" },
      annotations: { "drawbridge.dev/idle": settings },
    },
    spec: {
      replicas: 0,
      serviceName: name,
      selector: { matchLabels: { run: name } },
      template: {
        metadata: { labels: { run: name } },
        spec: {
          containers: [
            {
              name: "dev",
              image: imageRef("busybox"),
              securityContext: restricted,
              env: [{ name: "WEIGHT", value: "x".repeat(bytes) }],
            },
          ],
        },
      },
    },
  });
  const ownSettings = async () => {
    const { metadata } = await getObject<{ metadata: { annotations: Record<string, string> } }>([
      "-n",
      idle.team,
      "statefulset",
      "dev1",
    ]);
    return metadata.annotations["drawbridge.dev/idle"] ?? "";
  };
  afterEach(() => kubectl(["-n", elsewhere, "delete", "statefulset,resourcequota", "--all", "--wait=false"]));

  /** The culler does what it is for, and so does an activator that has just begun. */
  const isOthersAsEver = async () => {
    if ((await idle.replicas("dev1")) === 0) await idle.scale("dev1", 1);
    await idle.login("dev1");
    expect(await idle.wake("dev1", "/etc/drawbridge/sshd/idle sleep")).toMatchObject({ code: 0 });
    await eventually("its sleep", async () => (await idle.replicas("dev1")) === 0, 90);
    await idle.kill("activator");
    expect(await idle.wake("dev1")).toMatchObject({ code: 0 });
    await idle.kill("culler");
  };

  it("settings that are none: the others' sleep, wake and rounds are as ever", async () => {
    const half = `{"gateway":"${idle.gatewayName}/${idle.gatewayName}"}`;
    const wild = JSON.stringify({ ...JSON.parse(await ownSettings()), keepAwake: [null], port: "ssh" });
    await deploy(["null", "[]", "{", half, wild].map((settings, index) => set(`wild-${index}`, settings)));
    await isOthersAsEver();
  });

  it("objects of 80 MiB: the others are seen beside them", async () => {
    const settings = await ownSettings();
    const create = [...neighbour, "create", "-f", "-"];
    for (let index = 0; index < 80; index += 1) {
      await kubectl(create, JSON.stringify(set(`heavy-${index}`, settings, 1024 * 1024)));
    }
    await isOthersAsEver();
  });

  it("four hundred, a part of them as big as settings get: the others are as ever, and each fault is told once", async () => {
    const settings = await ownSettings();
    const minutes = Array(5000).fill([0, 1]);
    const kinds = {
      much: JSON.stringify({ ...JSON.parse(settings), keepAwake: [{ timeZone: "UTC", minutes }] }),
      none: "null",
      fine: settings,
      half: settings.slice(0, 40),
    };
    const create = [...neighbour, "create", "-f", "-"];
    for (let from = 0; from < 100; from += 10) {
      const items = Array.from({ length: 10 }, (_, index) =>
        Object.entries(kinds).map(([kind, text]) => set(`${kind}-${from + index}`, text)),
      ).flat();
      await kubectl(create, JSON.stringify({ apiVersion: "v1", kind: "List", items }));
    }
    await isOthersAsEver();
    const toldOf = async (kind: string) =>
      (await idle.log("culler")).filter(({ container }) => container === `${elsewhere}/${kind}-7`);
    const told = { outcome: "problem", reason: expect.stringContaining("keepAwake[0].minutes") };
    await eventually("a round", async () => (await toldOf("much")).length > 0);
    await new Promise((resolve) => setTimeout(resolve, 15_000));
    expect(await toldOf("much")).toEqual([expect.objectContaining(told)]);
    // The twin: among them, anyone who can be read is answered for.
    expect(await toldOf("fine")).toEqual([]);
    const slice = ["-n", elsewhere, "get", "endpointslice", "fine-99-asleep", "--ignore-not-found"];
    await eventually("its slice", async () => (await kubectl(slice)) !== "");
  });

  it("a sleeper in a namespace that takes no slice: the others are answered for beside it", async () => {
    const slices = "count/endpointslices.discovery.k8s.io=0";
    await kubectl(["-n", elsewhere, "create", "quota", "no-slices", `--hard=${slices}`]);
    await deploy([set("unanswered", await ownSettings())]);
    await isOthersAsEver();
    expect(await idle.log("activator")).toContainEqual(
      expect.objectContaining({
        container: `${elsewhere}/unanswered`,
        outcome: "problem",
        reason: expect.stringContaining("exceeded quota"),
      }),
    );
    // The twin: as soon as there is room, it is answered for too.
    await kubectl(["-n", elsewhere, "delete", "quota", "no-slices"]);
    const slice = ["-n", elsewhere, "get", "endpointslice", "unanswered-asleep", "--ignore-not-found"];
    await eventually("its slice", async () => (await kubectl(slice)) !== "");
  });
});
