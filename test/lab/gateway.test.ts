/** Containers behind a gateway, over the real Istio, Envoy, kubelet and OpenSSH. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { imageRef } from "../../packages/lab/src/images/index.ts";
import { testStack } from "../../scripts/lib/engine/engine.ts";
import { gatewayStats, getObject, kubectl, Laptop, run } from "../../scripts/lib/lab/lab.ts";
import { connectRoute } from "../support/attacks/route.ts";
import {
  byGateway,
  drainSeconds,
  endStack,
  testContainer,
  testGateway,
  testNamespace,
} from "../support/lab/cluster.ts";
import { knock, startProbe, stopProbe } from "../support/lab/probe-pod.ts";
import { restricted } from "../support/lab/restricted.ts";

// Not "gw", in whose name lab.test.ts tries objects beside this file: its policies would judge those.
const gatewayName = "gw-routes";
const team = "team-gw";
const listenerCounters = [
  "listener_manager_listener_in_place_updated",
  "listener_manager_listener_modified",
  "listener_manager_total_filter_chains_draining",
];

let laptop: Laptop;
let address: string;
/** Containers by name, with the memory each asks for: editing it rolls that container's pod. */
let containers: Record<string, string> = { one: "128Mi", seed: "128Mi" };
let stack: Awaited<ReturnType<typeof testStack>>;

async function program() {
  const gateway = testGateway(gatewayName);
  const namespace = testNamespace(team);
  const declared = Object.entries(containers).map(([name, memory]) =>
    testContainer(
      name,
      {
        namespace: team,
        resources: { requests: { cpu: "20m" }, memory },
        authorizedKeys: [laptop.publicKey],
        access: byGateway(gateway),
        // The port of seed 002's own ssh_config.
        ssh: { port: name === "seed" ? 80 : 22 },
      },
      [namespace],
    ),
  );
  return {
    address: gateway.address,
    sshConfig: declared.map((container) => container.sshConfig),
    knownHosts: declared.map((container) => container.knownHosts),
    sshCommand: declared.map((container) => container.sshCommand),
  };
}

async function up() {
  const result = await stack.stack.up();
  address = result.outputs.address?.value as string;
  await configureLaptop();
  return result;
}

async function configureLaptop() {
  await laptop.configure((await texts("sshConfig")).join("\n"), (await texts("knownHosts")).join(""));
}

/** An output of the stack that holds one text per container. */
async function texts(name: string): Promise<string[]> {
  return ((await stack.stack.outputs())[name]?.value ?? []) as string[];
}

/** The first line of the gateway's answer to a raw request. */
async function answer(request: string, host = address): Promise<string> {
  const outcome = await run("sh", ["-c", 'printf "%b" "$1" | nc -w 5 "$2" 80', "sh", request, host]);
  return outcome.stdout.split("\r\n")[0] ?? "";
}

const connect = (authority: string) => `CONNECT ${authority} HTTP/1.1\\r\\nHost: ${authority}\\r\\n\\r\\n`;

beforeAll(async () => {
  laptop = await Laptop.create();
  stack = await testStack(program);
  await up();
});

afterAll(() => endStack(stack, [team], laptop));

describe("a container behind the gateway", () => {
  it("is reached with nothing but the stack's outputs, as its own user without capabilities", async () => {
    const outcome = await laptop.login("one", "id -un; hostname; grep CapEff /proc/self/status");
    expect(outcome.stdout.split("\n")).toEqual(["jovyan", "one-0", "CapEff:\t0000000000000000", ""]);
  });

  it("is reached with the published command by nc", async () => {
    const command = `${(await texts("sshCommand"))[0]} -F ${laptop.plainConfigFile} echo by nc`;
    expect(await run("sh", ["-c", command], { env: laptop.env })).toMatchObject({
      code: 0,
      stdout: "by nc\n",
    });
  });

  it("changes nothing on a second up", async () => {
    expect(Object.keys((await up()).summary.resourceChanges ?? {})).toEqual(["same"]);
  });

  it("shows a change made behind Pulumi's back on refresh, and puts it right", async () => {
    await kubectl([
      "-n",
      team,
      "patch",
      "configmap",
      "one-authorized-keys",
      "-p",
      '{"data":{"authorized_keys":""}}',
    ]);
    const refreshed = await stack.stack.refresh();
    expect(refreshed.summary.resourceChanges).toMatchObject({ update: 1 });
    // With a plain provider a ConfigMap is replaced, never changed.
    expect((await up()).summary.resourceChanges).toMatchObject({ replace: 1 });
    const { data } = await getObject<{ data: Record<string, string> }>([
      "-n",
      team,
      "configmap",
      "one-authorized-keys",
    ]);
    expect(data.authorized_keys).toBe(`${laptop.publicKey}\n`);
  });
});

describe("what the gateway refuses", () => {
  it.each([
    [
      "another port of a known host",
      () => connect("one.team-gw.dev.example.com:8080"),
      "HTTP/1.1 404 Not Found",
    ],
    ["an unknown host", () => connect("two.team-gw.dev.example.com:22"), "HTTP/1.1 404 Not Found"],
    [
      "the API server's name",
      () => connect("kubernetes.default.svc.cluster.local:443"),
      "HTTP/1.1 404 Not Found",
    ],
    ["an address", () => connect("10.96.0.1:443"), "HTTP/1.1 404 Not Found"],
    [
      "plain HTTP to a container's name",
      () => "GET / HTTP/1.1\\r\\nHost: one.team-gw.dev.example.com:22\\r\\n\\r\\n",
      "HTTP/1.1 404 Not Found",
    ],
  ])("%s", async (_what, request, expected) => {
    expect(await answer(request())).toBe(expected);
  });

  it.each([
    "one.team-gw.dev.example.com:22",
    "One.Team-GW.DEV.example.com:22",
    "ONE.TEAM-GW.SVC.CLUSTER.LOCAL:22",
  ])("and the accepted twin, whatever its case: %s", async (authority) => {
    expect(await answer(connect(authority))).toBe("HTTP/1.1 200 OK");
  });

  it("a route that claims another namespace's name", async () => {
    const service = (name: string) => `${name}.${team}.svc.cluster.local`;
    const route = (host: string) => {
      const hosts = [host, service(host.split(".")[0] ?? "")];
      return JSON.stringify(connectRoute("claim", team, gatewayName, hosts, service("one")));
    };
    const dryRun = ["apply", "--dry-run=server", "-f", "-"];
    expect(await kubectl(dryRun, route(`mine.${team}.dev.example.com`))).toMatch(/claim created/);
    await expect(kubectl(dryRun, route("dev1.team-b.dev.example.com"))).rejects.toThrow(
      /the hosts of a route on gateway gw-routes\/gw-routes are <name>\.team-gw\.dev\.example\.com and /,
    );
  });
});

describe("the isolation", () => {
  const outside = "probe-gw";
  beforeAll(() => startProbe(outside));
  afterAll(() => stopProbe(outside));

  it("keeps a pod of another namespace from sshd, while the gateway reaches it", async () => {
    const podAddress = async (namespace: string, name: string) =>
      (await getObject<{ status: { podIP: string } }>(["-n", namespace, "pod", name])).status.podIP;
    expect(await knock(outside, await podAddress(team, "one-0"), 22)).toBe("nothing");
    // The probe can knock: it reaches itself.
    expect(await knock(outside, await podAddress(outside, "probe"), 8080)).toMatch(/^HTTP/);
    expect(await laptop.ssh(["one", "echo in"])).toMatchObject({ code: 0, stdout: "in\n" });
  });

  it("stands under Pod Security restricted: a pod that asks for more is refused", async () => {
    const pod = (securityContext: object) =>
      JSON.stringify({
        apiVersion: "v1",
        kind: "Pod",
        metadata: { name: "more", namespace: team },
        spec: { containers: [{ name: "c", image: imageRef("busybox"), securityContext }] },
      });
    const dryRun = ["apply", "--dry-run=server", "-f", "-"];
    await expect(kubectl(dryRun, pod({ runAsUser: 0 }))).rejects.toThrow(/violates PodSecurity "restricted/);
    expect(await kubectl(dryRun, pod(restricted))).toMatch(/pod\/more created/);
  });
});

describe("an open session", () => {
  it("loses no line while a container is added, edited and removed, and for three drains after", async () => {
    const session = laptop.openCounter("one");
    try {
      await session.reached(5);
      const before = await gatewayStats(
        gatewayName,
        `app.kubernetes.io/instance=${gatewayName}`,
        listenerCounters,
      );
      for (const memory of ["128Mi", "160Mi", undefined]) {
        const { two: _, ...others } = containers;
        containers = memory === undefined ? others : { ...others, two: memory };
        await up();
      }
      await new Promise((resolve) => setTimeout(resolve, drainSeconds * 3 * 1000));
      const after = await gatewayStats(
        gatewayName,
        `app.kubernetes.io/instance=${gatewayName}`,
        listenerCounters,
      );
      expect(after).toEqual(before);
      const lines = session.lines.length;
      await session.reached(lines + 5);
      expect({ alive: session.alive, unbroken: session.unbroken }).toEqual({ alive: true, unbroken: true });
    } finally {
      await session.close();
    }
  });

  it("answers seed 002's own ssh_config block, with only names, address and key changed", async () => {
    const block = [
      "Host svc-a-ns",
      " User jovyan",
      ` HostName seed.${team}.svc.cluster.local`,
      " Port 80",
      " ServerAliveInterval 100",
      ` IdentityFile ${laptop.keyFile}`,
      ` ProxyCommand proxytunnel -v -p ${address}:80 -o %h -d %h:%p`,
    ].join("\n");
    await laptop.configure(block, (await texts("knownHosts")).join(""));
    expect(await laptop.ssh(["svc-a-ns", "echo seed"])).toMatchObject({ code: 0, stdout: "seed\n" });
  });
});
