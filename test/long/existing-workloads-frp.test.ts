/**
 * Workloads of others, reached through frp alone: a chart's StatefulSet by a frpc that has a pod to itself, and a
 * Deployment that gets an sshd and a frpc into its pods.
 */
import { InjectedSshd, SshRoute, Team, TeamPolicies } from "@drawbridge-iac/drawbridge";
import { selectorLabels } from "@drawbridge-iac/drawbridge/src/kubernetes/labels";
import * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { imageRef } from "../../packages/lab/src/images/index.ts";
import { testStack } from "../../scripts/lib/engine/engine.ts";
import {
  apply,
  type CounterSession,
  eventually,
  found,
  getObject,
  kubectl,
  Laptop,
  run,
} from "../../scripts/lib/lab/lab.ts";
import { deploy, handToNeighbour } from "../../scripts/lib/stacks/deployer.ts";
import {
  grantOf,
  grantsReader,
  knocker,
  ownToken,
  podAddress,
  reaches,
  registerAs,
  widest,
} from "../support/attacks/frp-attackers.ts";
import { endStack, testSeed } from "../support/lab/cluster.ts";
import { byFrp, frpSuffix, testFrpServer } from "../support/stacks/frp-stack.ts";
import { boxHostKey, boxObjects } from "./foreign-chart.fixture.ts";

const server = "frp-what-runs";
const namespace = "team-frp-runs";
const neighbour = "team-frp-runs-b";
/** A namespace of no team. */
const passerBy = "frp-runs-passer-by";
const domain = (name: string, of = namespace) => `${name}.${of}.${frpSuffix}`;

let laptop: Laptop;
let stack: Awaited<ReturnType<typeof testStack>>;
const firstToken = "only-for-tests-a-route's-own-token-1";
/** What tests change in the program. */
let said = { reach: true, others: 0, token: firstToken };

function program() {
  const frp = testFrpServer(server);
  new TeamPolicies(server);
  const team = new Team(namespace);
  const through = byFrp(frp);
  const route = (name: string, token: string) =>
    new SshRoute(name, {
      namespace: team.namespace,
      serviceName: "box",
      targetPort: 2022,
      userName: "jovyan",
      hostPublicKeys: [boxHostKey.publicKey],
      podLabels: { app: "box" },
      networkPolicy: "allow-gateway",
      access: { frp: { ...through, token } },
    });
  const box = said.reach ? route("box", said.token) : undefined;
  for (let index = 0; index < said.others; index++) route(`other-${index}`, `${firstToken}-${index}`);
  const web = said.reach
    ? new InjectedSshd("web", {
        namespace: team.namespace,
        podTemplate: {
          metadata: { labels: { app: "web" } },
          spec: {
            terminationGracePeriodSeconds: 1,
            securityContext: {
              runAsNonRoot: true,
              runAsUser: 1000,
              runAsGroup: 1000,
              seccompProfile: { type: "RuntimeDefault" },
            },
            containers: [
              {
                name: "web",
                image: imageRef("devcontainer"),
                imagePullPolicy: "Never",
                command: ["python3", "-m", "http.server", "--directory", "/etc", "8080"],
                securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ["ALL"] } },
                volumeMounts: [{ name: "home", mountPath: "/home/dev" }],
              },
            ],
            volumes: [{ name: "home", emptyDir: {} }],
          },
        },
        ssh: { image: imageRef("sshd-bundle") },
        user: { name: "dev" },
        authorizedKeys: [laptop.publicKey],
        hostKey: { seed: testSeed },
        networkPolicy: "allow-gateway",
        access: { frp: through },
      })
    : undefined;
  if (web !== undefined) {
    new k8s.apps.v1.Deployment("web", {
      metadata: { name: "web", namespace: team.namespace },
      spec: { selector: { matchLabels: { app: "web" } }, template: web.podTemplate },
    });
  }
  const hosts = [box, web].filter((host) => host !== undefined);
  const join = (texts: pulumi.Output<string | undefined>[]) =>
    pulumi.all(texts).apply((known) => known.join("\n"));
  return {
    sshConfig: join(hosts.map((host) => host.sshConfig)),
    knownHosts: join(hosts.map((host) => host.knownHosts)),
    ways: pulumi
      .all(hosts.map((host) => host.sshTarget))
      .apply((targets) => targets.flatMap((target) => target?.ways.map(({ way }) => way) ?? [])),
  };
}

/** Brings the stack up with a change, and tells the laptop; returns the ways in. */
async function up(more: Partial<typeof said> = {}): Promise<unknown> {
  said = { ...said, ...more };
  const { outputs } = await stack.stack.up();
  await laptop.configure(String(outputs.sshConfig?.value), String(outputs.knownHosts?.value));
  return outputs.ways?.value;
}

const login = async (host: string, command: string) => (await laptop.login(host, command)).stdout;

const uidsOf = async (kind: string, selector: string) => {
  const objects = await found<{ metadata: { uid: string } }>(namespace, kind, selector);
  return objects.map(({ metadata }) => metadata.uid).sort();
};
const frpcOf = (route: string) =>
  `app.kubernetes.io/component=ssh-route,app.kubernetes.io/instance=${route},app.kubernetes.io/managed-by`;

let ways: unknown;
beforeAll(async () => {
  laptop = await Laptop.create("dev");
  stack = await testStack(async () => program());
  await up({ reach: false });
  await apply(...boxObjects(namespace, laptop.publicKey));
  await kubectl(["-n", namespace, "rollout", "status", "statefulset/box", "--timeout=120s"]);
  ways = await up({ reach: true });
  await handToNeighbour(neighbour);
  await deploy([...grantsReader(neighbour, server), widest(neighbour), grantOf(neighbour, "box")]);
});

afterAll(() => endStack(stack, [namespace, neighbour, passerBy, server], laptop));

describe("through frp", () => {
  it("both are logged in to by plain ssh, with their own host keys", async () => {
    expect(ways).toEqual(["frp", "frp"]);
    expect(await login("box", "id -un; hostname")).toBe("jovyan\nbox-0\n");
    expect(await login("web", "id -un; hostname")).toMatch(/^dev\nweb-/);
    expect(await laptop.ssh(["box", "echo strict"])).toMatchObject({
      code: 0,
      stdout: "strict\n",
      stderr: "",
    });
  });

  it.each(["box", "web"])("a key that is not that of %s is refused", async (host) => {
    const key = `${laptop.folder}/other-${host}`;
    expect(await run("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", key])).toMatchObject({ code: 0 });
    const port = host === "web" ? 2222 : 22;
    const name = port === 22 ? domain(host) : `[${domain(host)}]:${port}`;
    await run("sh", ["-c", `echo "${name} $(cat ${key}.pub)" >${laptop.folder}/wrong_hosts`]);
    const wrong = ["-o", `UserKnownHostsFile=${laptop.folder}/wrong_hosts`];
    const { code, stderr } = await laptop.ssh([...wrong, host, "true"]);
    expect(code).toBe(255);
    expect(stderr).toContain("Host key verification failed");
  });

  it("the route's pod is one frpc without a token of the Kubernetes API", async () => {
    type Pod = { spec: { containers: object[]; volumes: { name: string }[] } };
    const [pod] = await found<Pod>(namespace, "pods", frpcOf("box"));
    expect(pod?.spec.containers).toHaveLength(1);
    expect(pod?.spec.volumes.map(({ name }) => name)).toEqual(["frpc", "frpc-run"]);
  });
});

describe("the NetworkPolicies", () => {
  // Asked from pods with the labels of the route's frpc, whose image has nothing to ask with.
  const labels = selectorLabels("ssh-route", "box");
  const as = (where: string) => knocker(where, "asks", labels);
  let box: string;
  let web: string;
  let frps: string;
  beforeAll(async () => {
    await apply(
      { apiVersion: "v1", kind: "Namespace", metadata: { name: passerBy } },
      as(namespace),
      as(passerBy),
    );
    await Promise.all([namespace, passerBy].map((where) => podAddress(where, "run=asks")));
    [box = "", web = ""] = await Promise.all(["app=box", "app=web"].map((app) => podAddress(namespace, app)));
    frps = await podAddress(server, "app.kubernetes.io/component=frp-server,app.kubernetes.io/managed-by");
  });
  afterAll(() => kubectl(["-n", namespace, "delete", "deployment/asks"]));
  const reached = async (from: string, places: readonly (readonly [string, number])[]) => {
    const all = await Promise.all(places.map(([address, port]) => reaches(from, "asks", address, port)));
    return places.filter((_, index) => all[index]).map(([, port]) => port);
  };
  const places = () =>
    [
      [box, 2022],
      [box, 8080],
      [web, 2222],
      [web, 8080],
      [frps, 7000],
      [frps, 1337],
    ] as const;

  it("let the route's frpc reach the sshd that it is for, and frps, and nothing else", async () => {
    expect(await reached(namespace, places())).toEqual([2022, 7000]);
  });

  it("let nobody else to that sshd, whatever labels a pod of another namespace has", async () => {
    // Port 1337 is for everybody, and at 7000 frps asks for a token.
    expect(await reached(passerBy, places())).toEqual([7000, 1337]);
  });

  it("are taken by the policies on what a team writes, which refuse one that is wider", async () => {
    const policy = await getObject<{ spec: { egress: object[] } }>([
      "-n",
      namespace,
      "networkpolicy/box-frpc",
    ]);
    const replace = (spec: object) =>
      run("kubectl", ["replace", "--dry-run=server", "-f", "-"], {
        input: JSON.stringify({ ...policy, spec }),
      });
    expect(await replace(policy.spec)).toMatchObject({ code: 0 });
    const elsewhere = {
      to: [{ namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": neighbour } } }],
    };
    const wider = await replace({ ...policy.spec, egress: [...policy.spec.egress, elsewhere] });
    expect(wider.code).toBe(1);
    expect(wider.stderr).toMatch(/an egress rule may name pods of its own namespace/);
  });
});

describe("a neighbour's frpc", () => {
  const claim = (user: string, name: string) =>
    registerAs(neighbour, server, { user, token: ownToken, domain: name });
  const own = domain("box", neighbour);

  it("does not get the route's name, by the route's user or its own, and gets its own name", async () => {
    expect(await claim(`${namespace}.box`, domain("box"))).toBe("the user is unknown or its token is wrong");
    expect(await claim(`${neighbour}.box`, domain("box"))).toBe(
      `the domain "${domain("box")}" is not this container's; it may register ${own}`,
    );
    expect(await claim(`${neighbour}.box`, own)).toBe("registered");
    expect(await login("box", "hostname")).toBe("box-0\n");
  });

  it("does not get it by a grant of its own that names it", async () => {
    await deploy([grantOf(neighbour, "box", { clientDomain: domain("box") })]);
    // What the authorizer knows is up to 2 s old.
    await new Promise((resolve) => setTimeout(resolve, 2500));
    expect(await claim(`${neighbour}.box`, domain("box"))).toMatch(/is not this container's/);
    await deploy([grantOf(neighbour, "box", { clientDomain: domain("second", neighbour) })]);
    await new Promise((resolve) => setTimeout(resolve, 2500));
    expect(await claim(`${neighbour}.box`, domain("second", neighbour))).toBe("registered");
  });
});

describe("an open session through frp", () => {
  let sessions: CounterSession[];
  beforeAll(async () => {
    sessions = ["box", "web"].map((host) => laptop.openCounter(host));
    await Promise.all(sessions.map((session) => session.reached(5)));
  });
  afterAll(() => Promise.all(sessions.map((session) => session.close())));

  it("lives on while other routes come, change and go", async () => {
    const before = await uidsOf("pods", frpcOf("box"));
    for (const others of [3, 1, 0]) {
      await up({ others });
      await Promise.all(sessions.map((session) => session.reached(session.lines.length + 10)));
    }
    for (const session of sessions) expect(session).toMatchObject({ alive: true, unbroken: true });
    expect(await uidsOf("pods", frpcOf("box"))).toEqual(before);
  });

  it("ends when its own route's frpc gets another token, which is seen at once, and no other does", async () => {
    const before = await uidsOf("pods", frpcOf("box"));
    const [box, web] = sessions;
    await up({ token: "only-for-tests-a-route's-own-token-2" });
    await eventually("the end of the session", async () => box?.alive === false);
    const after = await uidsOf("pods", frpcOf("box"));
    expect(after).toHaveLength(1);
    expect(after).not.toEqual(before);
    const began = performance.now();
    expect(await login("box", "hostname")).toBe("box-0\n");
    console.log(`in again ${((performance.now() - began) / 1000).toFixed(1)} s after pulumi up`);
    await web?.reached((web?.lines.length ?? 0) + 10);
    expect(web).toMatchObject({ alive: true, unbroken: true });
  });
});

it("removed, leaves all as it was before", async () => {
  await up({ reach: false });
  const kinds = "deployment,service,networkpolicy,configmap,secret,role,rolebinding";
  const left = (await kubectl(["-n", namespace, "get", kinds, "-o", "name"])).split("\n");
  expect(left.filter((line) => /\b(web|box)\b/.test(line)).sort()).toEqual(["secret/box", "service/box"]);
  expect(await uidsOf("pods", frpcOf("box"))).toEqual([]);
});
