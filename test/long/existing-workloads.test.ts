/**
 * Workloads of others, reached as containers are: a chart's StatefulSet by its own sshd, a Deployment and a Sandbox
 * by one that is put into their pods. Removing what drawbridge added leaves them as they were.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { InjectedSshd, SshRoute, Team } from "@drawbridge-iac/drawbridge";
import * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { imageRef } from "../../packages/lab/src/images/index.ts";
import { type InstalledCli, installCli } from "../../scripts/lib/clients/cli.ts";
import { testStack } from "../../scripts/lib/engine/engine.ts";
import { freePort } from "../../scripts/lib/free-port.ts";
import { type AgentSandbox, startAgentSandbox } from "../../scripts/lib/lab/agent-sandbox.ts";
import {
  apply,
  eventually,
  found,
  getObject,
  kubectl,
  Laptop,
  run,
  typed,
} from "../../scripts/lib/lab/lab.ts";
import { pageBlock } from "../../scripts/lib/pages/page-blocks.ts";
import {
  byGateway,
  endStack,
  testContainer,
  testGateway,
  testNamespace,
  testSeed,
} from "../support/lab/cluster.ts";
import { knock, startProbe, stopProbe } from "../support/lab/probe-pod.ts";
import { curlInside } from "../support/stacks/containers.ts";
import { closeAll, openCounters } from "../support/stacks/gateways.ts";
import { workAsEditor } from "./editor.fixture.ts";
import { boxHostKey, boxObjects } from "./foreign-chart.fixture.ts";

const namespace = "team-what-runs";
/** A team's namespace without a default deny. */
const open = "team-what-runs-open";
const neighbour = "team-what-neighbour";
/** A namespace of no team. */
const passerBy = "what-runs-passer-by";
const hostKey = { seed: testSeed };
const ssh = { image: imageRef("sshd-bundle") };

let laptop: Laptop;
let agentSandbox: AgentSandbox;
let stack: Awaited<ReturnType<typeof testStack>>;
/** What the program adds to the workloads. */
let added: { reach: boolean; routes: number } = { reach: false, routes: 0 };

/** The pod template of a Deployment and of a Sandbox, as someone wrote it. */
const template = (app: string) => ({
  metadata: { labels: { app } },
  spec: {
    terminationGracePeriodSeconds: 1,
    securityContext: {
      runAsNonRoot: true,
      runAsUser: 1000,
      runAsGroup: 1000,
      seccompProfile: { type: "RuntimeDefault" },
      // A new volume belongs to root; only this group lets the user write to it.
      ...(app === "agent" ? { fsGroup: 1000 } : {}),
    },
    containers: [
      {
        name: app,
        image: imageRef("devcontainer"),
        imagePullPolicy: "Never",
        command: ["python3", "-m", "http.server", "--directory", "/etc", "8080"],
        ports: [{ containerPort: 8080 }],
        env: [{ name: "FLAVOUR", value: app }],
        securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ["ALL"] } },
        volumeMounts: [{ name: "home", mountPath: "/home/dev" }],
      },
    ],
    ...(app !== "agent" ? { volumes: [{ name: "home", emptyDir: {} }] } : {}),
  },
});

function program() {
  const gateway = testGateway("gw-what-runs", { egress: { teamPods: true } });
  const team = new Team(namespace);
  const access = byGateway(gateway);
  const authorizedKeys = [laptop.publicKey];
  const dev = testContainer("dev", { namespace: team.namespace as never, authorizedKeys, access });
  const injected = (name: string, further: object = {}, opts: pulumi.ComponentResourceOptions = {}) =>
    new InjectedSshd(
      name,
      {
        namespace: team.namespace,
        podTemplate: template(name),
        ssh,
        user: { name: "dev" },
        authorizedKeys,
        hostKey,
        networkPolicy: "allow-gateway",
        access,
        ...further,
      },
      opts,
    );
  const web = added.reach ? injected("web") : undefined;
  const agent = added.reach ? injected("agent", { podName: "agent" }) : undefined;
  const openNamespace = testNamespace(open);
  const shop = added.reach
    ? injected("shop", { namespace: open, networkPolicy: "only-gateway" }, { dependsOn: openNamespace })
    : undefined;
  testNamespace(neighbour);
  const box = added.reach
    ? new SshRoute("box", {
        namespace: team.namespace,
        serviceName: "box",
        targetPort: 2022,
        userName: "jovyan",
        hostPublicKeys: [`${boxHostKey.publicKey} somebody's`],
        podLabels: { app: "box" },
        networkPolicy: "allow-gateway",
        access,
      })
    : undefined;
  // The same pods by a Service without an address, which in DNS leads to a pod and not to a port of it.
  const named = added.reach
    ? new SshRoute("named", {
        namespace: team.namespace,
        serviceName: "named",
        targetPort: 2022,
        userName: "jovyan",
        hostPublicKeys: [boxHostKey.publicKey],
        access,
      })
    : undefined;
  for (let index = 0; index < added.routes; index++) {
    new SshRoute(`route-${index}`, {
      namespace: team.namespace,
      serviceName: "box",
      userName: "jovyan",
      hostPublicKeys: [boxHostKey.publicKey],
      access,
    });
  }
  new k8s.apps.v1.Deployment("web", {
    metadata: { name: "web", namespace: team.namespace },
    spec: { selector: { matchLabels: { app: "web" } }, template: web?.podTemplate ?? template("web") },
  });
  new k8s.apps.v1.Deployment(
    "shop",
    {
      metadata: { name: "shop", namespace: open },
      spec: { selector: { matchLabels: { app: "shop" } }, template: shop?.podTemplate ?? template("shop") },
    },
    { dependsOn: openNamespace },
  );
  const home = { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } };
  new k8s.apiextensions.CustomResource("agent", {
    apiVersion: "agents.x-k8s.io/v1alpha1",
    kind: "Sandbox",
    metadata: { name: "agent", namespace: team.namespace },
    spec: {
      podTemplate: agent?.podTemplate ?? template("agent"),
      volumeClaimTemplates: [{ metadata: { name: "home" }, spec: home }],
    },
  });
  const hosts = [dev, web, agent, shop, box, named].filter((host) => host !== undefined);
  const join = (texts: pulumi.Output<string | undefined>[]) =>
    pulumi.all(texts).apply((known) => known.join("\n"));
  return {
    targets: Object.fromEntries(
      [web, box].flatMap((host, at) => (host ? [[`target${at}`, host.sshTarget]] : [])),
    ),
    sshConfig: join(hosts.map((host) => host.sshConfig)),
    knownHosts: join(hosts.map((host) => host.knownHosts)),
  };
}

/** Brings the stack up with a change, and tells the laptop. */
async function up(more: Partial<typeof added>): Promise<Record<string, number>> {
  added = { ...added, ...more };
  const { outputs, summary } = await stack.stack.up();
  await laptop.configure(String(outputs.sshConfig?.value), String(outputs.knownHosts?.value));
  return { ...summary.resourceChanges };
}

const login = (host: string, command: string) => laptop.login(host, command, 120);

interface Marks {
  readonly metadata: { readonly uid: string; readonly generation?: number };
}
const marksOf = async (what: string) => {
  const { metadata } = await getObject<Marks>(["-n", namespace, what]);
  return { uid: metadata.uid, generation: metadata.generation };
};
const chart = ["statefulset/box", "service/box", "pod/box-0"];

/** What a pod's own web server answers inside the pod: the workload goes on with its work. */
const answers = (pod: string, container: string) =>
  kubectl([
    "-n",
    namespace,
    "exec",
    pod,
    "-c",
    container,
    "--",
    "sh",
    "-c",
    "wget -qO- localhost:8080/hostname || curl -s localhost:8080/hostname",
  ]);

beforeAll(async () => {
  laptop = await Laptop.create("dev");
  agentSandbox = await startAgentSandbox();
  stack = await testStack(async () => program());
  await up({});
  await apply(...boxObjects(namespace, laptop.publicKey));
  await kubectl(["-n", namespace, "rollout", "status", "statefulset/box", "--timeout=120s"]);
});

afterAll(async () => {
  await endStack(stack, [namespace, open, neighbour]);
  await stopProbe(passerBy);
  await agentSandbox.stop();
  await laptop.remove();
});

const hosts = ["box", "web", "agent"];

describe("beside what runs", () => {
  it("a preview shows what is added, and that a pod template changes", async () => {
    const before = await Promise.all(chart.map(marksOf));
    added = { reach: true, routes: 0 };
    const { stdout } = await stack.stack.preview();
    // Each line is printed once more when its resource is done.
    const all = stdout.split("\n").flatMap((line) => {
      const [, sign, type, name] = line.match(/^ *([+~-]+) .*?((?:kubernetes|drawbridge):\S+) +(\S+)/) ?? [];
      return type === undefined ? [] : [`${sign} ${type} ${name}`];
    });
    const lines = [...new Set(all)];
    expect(lines.filter((line) => !line.startsWith("+")).sort()).toEqual([
      "~ kubernetes:agents.x-k8s.io/v1alpha1:Sandbox agent",
      "~ kubernetes:apps/v1:Deployment shop",
      "~ kubernetes:apps/v1:Deployment web",
    ]);
    expect(lines.filter((line) => /\bbox/.test(line)).sort()).toEqual([
      "+ drawbridge:index:SshRoute box",
      "+ kubernetes:networking.istio.io/v1:VirtualService box-route",
      "+ kubernetes:networking.k8s.io/v1:NetworkPolicy box-network",
    ]);
    await up({ reach: true });
    expect(await Promise.all(chart.map(marksOf))).toEqual(before);
    // agent-sandbox's controller leaves a pod as it is until someone deletes it.
    await kubectl(["-n", namespace, "delete", "pod", "agent", "--wait=true"]);
  });

  it.each(hosts)("%s is logged in to, with files both ways", async (host) => {
    const who = host === "box" ? "jovyan" : "dev";
    expect((await login(host, "id -un; id -u")).stdout).toBe(`${who}\n1000\n`);
    const local = `${laptop.folder}/blob-${host}`;
    await run("dd", ["if=/dev/urandom", `of=${local}`, "bs=1M", "count=3"]);
    expect(await laptop.scp([local, `${host}:/tmp/blob`])).toMatchObject({ code: 0 });
    expect(await laptop.scp([`${host}:/tmp/blob`, `${local}.back`])).toMatchObject({ code: 0 });
    expect(await run("cmp", [local, `${local}.back`])).toMatchObject({ code: 0, stdout: "" });
    const shell = `ssh -F ${laptop.configFile}`;
    expect(
      await run("rsync", ["-e", shell, local, `${host}:/tmp/synced`], { env: laptop.env }),
    ).toMatchObject({ code: 0 });
    expect((await login(host, "cmp /tmp/blob /tmp/synced && echo same")).stdout).toBe("same\n");
  });

  it("a headless Service leads to the port that it says of its pods, not to its own", async () => {
    expect((await login("named", "hostname")).stdout).toBe("box-0\n");
  });

  it.each(hosts)(
    "%s is worked in as by VS Code, with a terminal and a forward to its own port",
    async (host) => {
      await workAsEditor(laptop, host, { web: "web", agent: "agent" }[host] ?? "none", 21080);
      const { stdout } = await curlInside(laptop, host, "http://localhost:8080/hostname");
      expect(stdout.trim()).toMatch({ box: /^box-0$/, web: /^web-/, agent: /^agent$/ }[host] ?? /^$/);
    },
  );

  it("sessions have the container's own environment, and its program is as it was", async () => {
    expect((await login("web", "echo $FLAVOUR; tr '\\0' ' ' </proc/1/cmdline")).stdout).toBe(
      "web\npython3 -m http.server --directory /etc 8080 ",
    );
    expect(await answers("box-0", "web")).toBe("box-0\n");
  });

  it("sshd comes back when it alone is killed, and the program beside it goes on", async () => {
    const session = laptop.openCounter("web");
    try {
      await session.reached(5);
      // Not every program of the image has ssh in its name: the listener says so of itself.
      const killed = `for p in /proc/[0-9]*; do if grep -q '[l]istener' $p/cmdline; then kill -9 \${p#/proc/}; fi; done 2>/dev/null; true`;
      expect(await laptop.login("web", killed)).toMatchObject({ code: 0 });
      expect(await laptop.login("web", "echo in")).toMatchObject({ code: 0, stdout: "in\n" });
      const { length } = session.lines;
      await session.reached(length + 5);
      expect({ alive: session.alive, unbroken: session.unbroken }).toEqual({ alive: true, unbroken: true });
    } finally {
      await session.close();
    }
  });

  it("a home of the Sandbox outlives its pod, and the host key too", async () => {
    expect((await login("agent", "echo kept >~/kept; pwd")).stdout).toBe("/home/dev\n");
    await kubectl(["-n", namespace, "delete", "pod", "agent", "--wait=true"]);
    expect((await login("agent", "cat ~/kept")).stdout).toBe("kept\n");
  });

  it("a key that is not the host's is refused", async () => {
    await login("box", "true");
    const other = await run("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", `${laptop.folder}/other`]);
    expect(other.code).toBe(0);
    const wrong = (await run("cat", [`${laptop.folder}/other.pub`])).stdout.trim();
    const name = `box.${namespace}.dev.example.com`;
    await run("sh", ["-c", `echo '${name} ${wrong}' >${laptop.folder}/wrong_hosts`]);
    const { code, stderr } = await laptop.ssh([
      "-o",
      `UserKnownHostsFile=${laptop.folder}/wrong_hosts`,
      "box",
      "true",
    ]);
    expect(code).toBe(255);
    expect(stderr).toContain("Host key verification failed");
  });
});

it("the page's two commands print the host key of what runs", async () => {
  const block = await pageBlock("docs/existing-workloads.md", "sh", "port-forward");
  const port = String(await freePort());
  const here = block.replace("team-a", namespace).replace("legacy-box", "box").replaceAll("2222", port);
  const [forward = "", scan = "", ...more] = here.trim().split("\n");
  expect(more).toEqual([]);
  const [program = "", ...args] = forward.split(" ");
  const forwarding = spawn(program, args, { stdio: ["ignore", "ignore", "inherit"] });
  const ended = once(forwarding, "close");
  try {
    expect(await eventually("the host key", () => typed(scan))).toBe(`${boxHostKey.publicKey}\n`);
  } finally {
    forwarding.kill();
    await ended;
  }
});

describe("the command", () => {
  let cli: InstalledCli;
  const kubeconfig = () => ({ KUBECONFIG: process.env.KUBECONFIG ?? "" });
  beforeAll(async () => {
    cli = await installCli();
    const { targets } = await stack.stack.outputs();
    const file = `${cli.home}/outputs.json`;
    await writeFile(file, JSON.stringify(targets?.value));
    const known = await cli.run(["ssh-config", "--from", file, "--identity", laptop.keyFile]);
    expect(known).toMatchObject({ code: 0 });
  });
  afterAll(() => cli.remove());

  it("lists and walks it as it does a container", async () => {
    const walked = await cli.run(["doctor", "box"], { env: kubeconfig() });
    expect(walked.stdout).toContain("all is well");
    expect(walked.code).toBe(0);
    expect((await cli.run(["list"], { env: kubeconfig() })).stdout).toMatch(/^box +.*$/m);
  });

  it("says why nobody answers, where the cluster tells", async () => {
    await kubectl(["-n", namespace, "scale", "statefulset/box", "--replicas=0"]);
    await kubectl(["-n", namespace, "wait", "--for=delete", "pod/box-0", "--timeout=60s"]);
    const empty = await eventually("no endpoint", async () => {
      const { stdout } = await cli.run(["doctor", "box"], { env: kubeconfig() });
      if (!stdout.includes("cluster")) throw new Error(stdout);
      return stdout;
    });
    expect(empty).toMatch(/cluster: .*no .*ready/);
    await kubectl(["-n", namespace, "scale", "statefulset/box", "--replicas=1"]);
    await kubectl(["-n", namespace, "rollout", "status", "statefulset/box", "--timeout=120s"]);
    await kubectl(["-n", namespace, "delete", "networkpolicy", "web-ssh"]);
    const shut = await eventually("a policy in the way", async () => {
      const { stdout } = await cli.run(["doctor", "web"], { env: kubeconfig() });
      if (!stdout.includes("cluster")) throw new Error(stdout);
      return stdout;
    });
    expect(shut).toContain(
      'drawbridge-default-deny) do not let the gateway gw-what-runs/gw-what-runs to its port 2222; set networkPolicy: "allow-gateway"',
    );
    await stack.stack.up({ refresh: true });
    expect((await login("web", "echo in")).stdout).toBe("in\n");
  });
});

describe("a neighbour", () => {
  const addressOf = async (team: string, app: string) => {
    const [pod] = await found<{ status: { podIP: string } }>(team, "pods", `app=${app}`);
    return pod?.status.podIP ?? "";
  };
  const knocks = async (team: string, app: string, ports: readonly number[]) => {
    const address = await addressOf(team, app);
    return Promise.all(ports.map((port) => knock(passerBy, address, port)));
  };

  it("reaches no sshd, where the gateway and its people do", async () => {
    await startProbe(passerBy);
    expect(await knocks(namespace, "box", [2022, 8080])).toEqual(["nothing", "nothing"]);
    expect(await knocks(namespace, "web", [2222, 8080])).toEqual(["nothing", "nothing"]);
    expect((await login("web", "echo in")).stdout).toBe("in\n");
  });

  it("reaches what else an open namespace has, and no sshd that is protected there", async () => {
    expect(await knocks(open, "shop", [2222, 8080])).toEqual(["nothing", "HTTP/1."]);
    expect((await login("shop", "echo in")).stdout).toBe("in\n");
  });

  it.each<[string, object]>([
    ["another's Service behind a name of its own", { service: `box.${namespace}` }],
    ["another's name", { host: `box.${namespace}` }],
  ])("may not have a route with %s, and may have one of its own", async (_, change) => {
    const attempt = ({ service = `box.${neighbour}`, host = `box.${neighbour}` }) =>
      run("kubectl", ["create", "--dry-run=server", "-f", "-"], {
        input: JSON.stringify(route(`${service}.svc.cluster.local`, `${host}.dev.example.com`)),
      });
    const refused = await attempt(change);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toMatch(/ValidatingAdmissionPolicy .* denied request/);
    expect(await attempt({})).toMatchObject({ code: 0 });
  });
});

/** As a SshRoute makes it, in the neighbour's namespace. */
const route = (service: string, host: string) => ({
  apiVersion: "networking.istio.io/v1",
  kind: "VirtualService",
  metadata: { name: "box-ssh", namespace: neighbour },
  spec: {
    hosts: [host, `${host.split(".")[0]}.${neighbour}.svc.cluster.local`],
    gateways: ["gw-what-runs/gw-what-runs"],
    exportTo: ["gw-what-runs"],
    http: [
      {
        name: "ssh-connect",
        match: [{ authority: { regex: "[^:]+:22" } }],
        retries: { attempts: 0 },
        route: [{ destination: { host: service, port: { number: 22 } } }],
      },
    ],
  },
});

describe("sessions", () => {
  it("on a container and on what somebody made live through a hundred changes to other routes", async () => {
    await Promise.all(["dev", ...hosts].map((host) => login(host, "true")));
    const sessions = (await Promise.all(["dev", "box"].map((host) => openCounters(laptop, host, 25)))).flat();
    let changes = 0;
    while (changes < 100) {
      const counts = await up({ routes: added.routes === 0 ? 10 : 0 });
      changes += (counts.create ?? 0) + (counts.delete ?? 0);
    }
    const counts = sessions.map(({ lines }) => lines.length);
    await Promise.all(sessions.map((session, index) => session.reached((counts[index] ?? 0) + 2)));
    await closeAll(sessions);
  });
});

describe("removing it", () => {
  it("leaves the chart untouched, and the templates as they were", async () => {
    const before = await Promise.all(chart.map(marksOf));
    await up({ reach: false, routes: 0 });
    expect(await Promise.all(chart.map(marksOf))).toEqual(before);
    const { spec } = await getObject<{
      spec: { template: { spec: { containers: object[]; volumes: object[] } } };
    }>(["-n", namespace, "deployment/web"]);
    expect(spec.template.spec.volumes).toEqual([{ name: "home", emptyDir: {} }]);
    expect(spec.template.spec).not.toHaveProperty("initContainers");
    const left = await kubectl([
      "-n",
      namespace,
      "get",
      "service,virtualservice,networkpolicy,configmap,secret",
      "-o",
      "name",
    ]);
    expect(
      left
        .split("\n")
        .filter((line) => /\b(web|agent|box)\b/.test(line))
        .sort(),
    ).toEqual(["secret/box", "service/agent", "service/box"]);
    expect((await laptop.ssh(["dev", "echo in"])).stdout).toBe("in\n");
  });
});
