/** `drawbridge doctor` before set-ups that are broken in ten ways: it must name the right fault. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  addressRequirement,
  networkRequirements,
  policyRequirement,
} from "../../packages/cli/src/doctor/network.ts";
import { type Kube, loadKube } from "../../packages/cli/src/sshpod/kube.ts";
import { sshTargetKind } from "../../packages/drawbridge/src/host/client-texts/target.ts";
import { imageRef } from "../../packages/lab/src/images/index.ts";
import { type InstalledCli, installCli } from "../../scripts/lib/clients/cli.ts";
import { freePort } from "../../scripts/lib/free-port.ts";
import { apply, eventually, kubectl, run } from "../../scripts/lib/lab/lab.ts";
import {
  type LoopbackGateway,
  type LoopbackSshd,
  makeCertificates,
  startGateway,
  startSshd,
} from "../support/clients/loopback-ssh.ts";
import { busybox, busyboxPod } from "../support/stacks/busybox.ts";

const namespace = `doctor-${process.pid}`;
const name = (status: string) => `${status}.team-a.dev.example.com`;
let cli: InstalledCli;
let sshd: LoopbackSshd;
let other: LoopbackSshd;
let certificates: Awaited<ReturnType<typeof makeCertificates>>;
const gateways: Record<string, LoopbackGateway> = {};

beforeAll(async () => {
  [cli, sshd, other] = await Promise.all([installCli(), startSshd(), startSshd()]);
  certificates = await makeCertificates(cli.home);
  const routes = {
    [`${name("good")}:22`]: { port: sshd.port },
    [`${name("forbidden")}:22`]: { status: 403 },
    [`${name("upgrade")}:22`]: { status: 426 },
    [`${name("sleeping")}:22`]: { status: 503 },
  };
  const asked = { requestCert: true, rejectUnauthorized: true, ca: await readFile(certificates.ca) };
  gateways.plain = await startGateway(routes);
  gateways.tls = await startGateway(routes, certificates.server);
  gateways.expired = await startGateway(routes, certificates.expired);
  gateways.mutual = await startGateway(routes, { ...certificates.server, ...asked });
  const unready = busybox("main", { readinessProbe: { exec: { command: ["false"] } } });
  await apply(
    { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } },
    busyboxPod(namespace, "dev1-0", [unready]),
  );
  await kubectl([
    "-n",
    namespace,
    "wait",
    "--for=jsonpath={.status.phase}=Running",
    "--timeout=60s",
    "pod/dev1-0",
  ]);
});

afterAll(async () => {
  for (const gateway of Object.values(gateways)) gateway.stop();
  await Promise.all([sshd.stop(), other.stop(), cli.remove()]);
  await kubectl(["delete", "namespace", namespace, "--wait=false"]);
});

interface Setup {
  way?: object;
  hostName?: string;
  hostKey?: string;
  identity?: string;
  files?: string[];
  off?: boolean;
}

/** Writes a config for one container that is set up so, and asks the doctor. */
async function diagnose(setup: Setup) {
  const target = {
    kind: sshTargetKind,
    name: "dev1",
    namespace,
    user: "root",
    hostName: setup.hostName ?? name("good"),
    port: 22,
    hostKeys: [setup.hostKey ?? sshd.hostPublicKey],
    ways: [{ way: "gateway", address: "localhost", port: gateways.plain?.port, ...setup.way }],
    home: "/root",
    ...(setup.off ? { running: false } : {}),
  };
  const outputs = join(cli.home, "outputs.json");
  await writeFile(outputs, JSON.stringify({ containers: { dev1: JSON.stringify(target) } }));
  const identity = ["--identity", setup.identity ?? sshd.userKey];
  // Its options of the last time would hold on.
  await cli.run(["ssh-config", "--remove"]);
  const written = await cli.run(["ssh-config", "--from", outputs, ...identity, ...(setup.files ?? [])]);
  expect(written).toMatchObject({ code: 0, stderr: "" });
  expect(written.stdout.split("\n")[0]).toBe("ssh dev1");
  const { code, stdout } = await cli.run(["doctor", "dev1"]);
  return { code, lines: stdout.trim().split("\n").slice(1) };
}

const step = (lines: string[]) => lines.map((line) => line.slice(2).split(":")[0]);
const tls = (gateway: string) => ({
  way: "gateway",
  address: "localhost",
  port: gateways[gateway]?.port,
  tls: true,
});

describe("a way that is open", () => {
  it("is walked to the end, plain", async () => {
    const { code, lines } = await diagnose({});
    expect(code).toBe(0);
    expect(step(lines)).toEqual([
      "ok   DNS",
      "ok   TCP",
      "ok   CONNECT",
      "ok   SSH banner",
      "ok   host key",
      "ok   login",
      "l is well",
    ]);
  });

  it("is walked to the end in TLS and mTLS, and carries a command", async () => {
    const { certFile, keyFile } = certificates.client;
    for (const gateway of ["tls", "mutual"]) {
      const files = [
        "--ca",
        certificates.ca,
        ...(gateway === "mutual" ? ["--cert", certFile, "--key", keyFile] : []),
      ];
      const { code, lines } = await diagnose({ way: tls(gateway), files });
      expect(step(lines)).toEqual([
        "ok   DNS",
        "ok   TCP",
        "ok   TLS",
        "ok   CONNECT",
        "ok   SSH banner",
        "ok   host key",
        "ok   login",
        "l is well",
      ]);
      expect(code).toBe(0);
      expect(await cli.run(["connect", "dev1", "--", "echo in; exit 5"])).toEqual({
        code: 5,
        stdout: "in\n",
        stderr: "",
      });
    }
  });
});

describe("a way that is broken", () => {
  const cases: [string, () => Setup | Promise<Setup>, string][] = [
    [
      "wrong DNS",
      () => ({ way: { address: "nowhere.invalid" } }),
      "FAIL DNS: the name nowhere.invalid cannot be resolved (CODE); check its spelling, the DNS record of the gateway, and whether you need the VPN",
    ],
    [
      "a closed port",
      async () => ({ way: { port: await freePort() } }),
      "FAIL TCP: localhost:PORT refuses connections; check the port, and whether the gateway runs",
    ],
    [
      "plain to a TLS port",
      () => ({ way: { port: gateways.tls?.port } }),
      "FAIL CONNECT: the gateway closed the connection without an answer; it may be a TLS port (write https:// in place of http://), or no HTTP port at all",
    ],
    [
      "TLS to a plain port",
      () => ({ way: tls("plain") }),
      "FAIL TLS: the port does not speak TLS; it may be a plain port: then write http:// in place of https://",
    ],
    [
      "an expired certificate",
      () => ({ way: tls("expired"), files: ["--ca", certificates.ca] }),
      "FAIL TLS: the gateway's certificate for localhost has expired by your clock; ask your platform team to renew it",
    ],
    [
      "an unknown authority",
      () => ({ way: tls("tls") }),
      "FAIL TLS: the gateway's certificate for localhost is signed by an authority that is not trusted here; put it into the system's store, or pass the authority's file with --ca",
    ],
    [
      "no client certificate",
      () => ({ way: tls("mutual"), files: ["--ca", certificates.ca] }),
      "FAIL CONNECT: the gateway refuses this computer without a valid client certificate; give one with --cert and --key",
    ],
    [
      "404",
      () => ({ hostName: name("unknown") }),
      `FAIL CONNECT: the gateway knows no ${name("unknown")}:22 (404); if it has moved, run drawbridge ssh-config again; else check name, namespace and port, and whether its route is deployed`,
    ],
    [
      "426",
      () => ({ hostName: name("upgrade") }),
      "FAIL CONNECT: the gateway wants a newer HTTP (426); CONNECT is not enabled on this port",
    ],
    [
      "403",
      () => ({ hostName: name("forbidden") }),
      `FAIL CONNECT: the gateway does not let you reach ${name("forbidden")}:22 (403); ask its owner to allow your certificate or network`,
    ],
    [
      "503",
      () => ({ hostName: name("sleeping") }),
      `FAIL CONNECT: the gateway knows ${name("sleeping")}:22, but nothing answers there (503); it is starting, stopped or not ready`,
    ],
    [
      "a pod without sshd, ready or not",
      () => ({ way: { way: "sshpod", pod: "dev1-0", namespace, address: undefined, port: undefined } }),
      "FAIL SSH banner: nothing listens on port 22 in the pod; its sshd has not started yet, or has ended",
    ],
  ];

  it.each(cases)("%s", async (_title, setup, sentence) => {
    const { code, lines } = await diagnose(await setup());
    expect(
      lines
        .at(-2)
        ?.trim()
        .replace(/localhost:\d+/, "localhost:PORT")
        // Whether a name server said no or none answered.
        .replace(/\((ENOTFOUND|EAI_AGAIN)\)/, "(CODE)"),
    ).toBe(sentence);
    expect(lines.at(-1)).toBe("0 of 1 ways lead to a login");
    expect(code).toBe(1);
  });

  it("a container that its stack has switched off, alone a fault and among all none", async () => {
    const { code, lines } = await diagnose({ hostName: name("sleeping"), off: true });
    expect(lines.at(-2)).toMatch(
      /FAIL CONNECT: the gateway knows .* \(503\); .*; the stack says running: false; set it to true and run pulumi up$/,
    );
    expect([code, lines.at(-1)]).toEqual([1, "switched off by its stack"]);
    const all = await cli.run(["doctor"]);
    expect([all.code, all.stdout.trim().split("\n").at(-1)]).toEqual([
      0,
      "0 of 0 containers can be logged in to; 1 switched off",
    ]);
    expect((await cli.run(["list"])).stdout).toMatch(/ Off +gateway says 503\n/);
  });

  it("a wrong host key", async () => {
    const { code, lines } = await diagnose({ hostKey: other.hostPublicKey });
    expect(step(lines).slice(-2)).toEqual(["FAIL host key", "of 1 ways lead to a login"]);
    expect(lines.at(-2)).toMatch(
      /the host shows SHA256:\S+, but the stack says SHA256:\S+; if the stack was changed, run drawbridge ssh-config again; otherwise someone stands between you and it$/,
    );
    expect(code).toBe(1);
  });

  it("a wrong key", async () => {
    const { code, lines } = await diagnose({ identity: other.userKey });
    expect(step(lines).slice(-3)).toEqual(["ok   host key", "FAIL login", "of 1 ways lead to a login"]);
    expect(lines.at(-2)).toContain("FAIL login: root has none of the keys that were offered (");
    expect(code).toBe(1);
  });
});

describe("the network", () => {
  const image = imageRef("devcontainer");

  it("keeps policies, and leaves nothing of what was made to find out", async () => {
    const { code, stdout } = await cli.run(["doctor", "--network", "--image", image]);
    expect({ code, lines: stdout.trimEnd().split("\n") }).toEqual({
      code: 0,
      lines: [
        "  ok   NetworkPolicy, into a pod: is enforced",
        "  ok   NetworkPolicy, out of a pod: is enforced",
      ],
    });
    await eventually("the end of its namespace", async () => {
      const names = await kubectl(["get", "namespaces", "-o", "name"]);
      return !names.includes("drawbridge-doctor-");
    });
  });

  it("is told from one that keeps none", async () => {
    const kube = await loadKube(undefined);
    const create = async (path: string, object: object) => {
      if (!path.includes("networkpolicies")) await kube.create(path, object);
    };
    const found = await networkRequirements(
      { ...kube, create, remove: forgiving(kube) },
      { image, limits: { startSeconds: 120, policySeconds: 5 } },
    );
    expect(found).toEqual([policyRequirement("Ingress", false), policyRequirement("Egress", false)]);
  });

  it("is plainly routed here, which a pod with NET_ADMIN passes under another's address", async () => {
    const { code, stdout } = await cli.run(["doctor", "--network", "--root", "--image", image]);
    const [last] = stdout.trimEnd().split("\n").slice(-1);
    expect({ code, last }).toEqual({
      code: 1,
      last: expect.stringMatching(
        /^ {2}FAIL NetworkPolicy, under another pod's address: is not enforced, so who has NET_ADMIN speaks as any pod; /,
      ),
    });
  });

  it("is told from one that drops what comes under another's address", async () => {
    const kube = await loadKube(undefined);
    let rule: string[] | undefined;
    const create = async (path: string, object: object) => {
      await kube.create(path, object);
      if (!("spec" in object) || !("ingress" in (object.spec as object))) return;
      const [, own] = /namespaces\/([^/]+)\//.exec(path) ?? [];
      rule = await onlyFrom(own ?? "", "speaker");
      await run("iptables", ["-I", ...rule]);
    };
    try {
      const found = await networkRequirements({ ...kube, create }, { image, borrows: true });
      expect(found).toEqual([
        policyRequirement("Ingress", true),
        policyRequirement("Egress", true),
        addressRequirement(true),
      ]);
      expect(rule?.at(-3)).toMatch(/^veth/);
    } finally {
      if (rule !== undefined) await run("iptables", ["-D", ...rule]);
    }
  });
});

/** The rule that drops what has a pod's address and does not come from the pod's own end. */
async function onlyFrom(own: string, pod: string): Promise<string[]> {
  const address = await kubectl(["-n", own, "get", "pod", pod, "-o", "jsonpath={.status.podIP}"]);
  const index = await kubectl(["-n", own, "exec", pod, "--", "cat", "/sys/class/net/eth0/iflink"]);
  const links = JSON.parse((await run("ip", ["-j", "link"])).stdout) as { ifindex: number; ifname: string }[];
  const end = links.find(({ ifindex }) => ifindex === Number(index))?.ifname ?? "";
  return ["FORWARD", "-s", address, "!", "-i", end, "-j", "DROP"];
}

/** Deletes what there is. */
const forgiving = (kube: Kube) => (path: string) =>
  path.includes("networkpolicies") ? Promise.resolve() : kube.remove(path);

describe("root inside", () => {
  it("is what this cluster can give", async () => {
    const { code, stdout } = await cli.run(["doctor", "--root"]);
    expect(code).toBe(0);
    const lines = stdout.trimEnd().split("\n");
    expect(lines.map((line) => line.replace(/[\d.]+\S*/g, "N"))).toEqual([
      "  ok   API server: Kubernetes N",
      "  ok   node lab-node: Linux N containerd N",
      expect.stringMatching(/^ {2}ok {3}StorageClass local-path: /),
    ]);
  });

  it("is a question about the cluster alone", async () => {
    expect(await cli.run(["doctor", "dev1", "--root"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("--root looks at the cluster alone; remove the name and --way"),
    });
  });
});
