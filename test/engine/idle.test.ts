/**
 * The culler and the activator on a real API server, each by its own account: what they do, and what their accounts may not.
 * No node runs, so a container's report and its sshd are played; the whole is in test/lab/idle.test.ts.
 */
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { type AddressInfo, connect, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import {
  activatorLeaseBinding,
  activatorLeaseRole,
  admissionPolicy,
  admissionPolicyBinding,
  devContainerSchema,
  gatewayPolicies,
  hostService,
  type IdleRole,
  idleAccounts,
  idleClusterBinding,
  idleClusterRole,
  idleGrants,
  idleServiceAccount,
  type KnownSshGatewayPlan,
  parseArgs,
  planDevContainer,
  planSshGateway,
  sshGatewaySchema,
  statefulSet,
  teamNamespace,
} from "../../packages/manifests/src/index.ts";
import { Activator } from "../../packages/programs/src/idle/activate/activator.ts";
import { Leadership } from "../../packages/programs/src/idle/activate/leadership.ts";
import { Culler } from "../../packages/programs/src/idle/cull/culler.ts";
import { type Kubernetes, kubernetes } from "../../packages/programs/src/kubernetes.ts";
import { Metrics } from "../../packages/programs/src/metrics.ts";
import { addIstioKinds, install, policiesStand } from "../support/attacks/server.ts";
import { type ApiServer, startApiServer } from "../support/engine/api-server.ts";
import { eventually } from "../support/lab/lab.ts";

const team = "team-idle";
const key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAICOp7m/T0uXYQbLaxCyYOBnH+nILl2oMszTc7NNkhxbN alice";

const gateway = planSshGateway(
  "ssh",
  parseArgs("SshGateway", "ssh", sshGatewaySchema, {
    domain: "dev.example.com",
    loadBalancer: { preset: "generic" },
    idle: { image: "idle:1" },
    egress: { apiServer: [{ cidr: "10.0.0.1/32" }] },
  }),
) as KnownSshGatewayPlan;
const both = { plan: gateway, idle: gateway.idle as NonNullable<typeof gateway.idle> };

let api: ApiServer;
let sshd: Server;
let folder: string;
let sshPort: number;

/** A container as its stack makes it. */
function container(name: string, idle: object | undefined, more: object = {}) {
  return planDevContainer(
    name,
    parseArgs("DevContainer", name, devContainerSchema, {
      namespace: team,
      image: "devcontainer:1",
      authorizedKeys: [key],
      hostKey: { seed: "only-for-tests-0123456789abcdef0123456789abcdef" },
      access: {
        gateway: {
          name: "ssh",
          namespace: "ssh",
          domain: "dev.example.com",
          plainPort: 80,
          idle: idleAccounts(gateway),
        },
      },
      ssh: { port: sshPort },
      ...(idle === undefined ? {} : { idle }),
      ...more,
    }),
  );
}

const objectsOf = (plan: ReturnType<typeof container>) => [
  hostService(plan, plan.ports),
  statefulSet(plan),
  ...idleGrants(plan).flatMap(({ role, binding }) => [role, binding]),
];

/** By the account's own token, as its pod has it. */
async function account(role: IdleRole): Promise<Kubernetes> {
  const name = `ssh-${role}`;
  const token = await api.kubectl(["-n", "ssh", "create", "token", name]);
  const config = JSON.parse(await readFile(api.kubeconfigs.admin, "utf8")) as {
    clusters: { cluster: { server: string; "certificate-authority": string } }[];
  };
  const { server = "", "certificate-authority": ca = "" } = config.clusters[0]?.cluster ?? {};
  const own = join(folder, role);
  await rm(own, { recursive: true, force: true });
  await mkdir(own);
  await writeFile(join(own, "token"), token);
  await writeFile(join(own, "ca.crt"), await readFile(ca));
  const { hostname, port } = new URL(server);
  return kubernetes({
    host: hostname,
    port: Number(port),
    folder: own,
    userAgent: "drawbridge-idle",
    timeoutSeconds: 10,
  });
}

const replicas = async (name: string) =>
  Number(
    (await api.kubectl(["-n", team, "get", "statefulset", name, "-o", "jsonpath={.spec.replicas}"])) || 0,
  );
const scaleByAdmin = (name: string, to: number) =>
  api.kubectl(["-n", team, "scale", "statefulset", name, `--replicas=${to}`]);
const event = async (name: string) =>
  JSON.parse(await api.kubectl(["-n", team, "get", "event", `${name}.drawbridge-culler`, "-o", "json"])) as {
    reason: string;
    message: string;
    firstTimestamp: string;
  };

const report =
  "drawbridge-idle: up=90000 sessions=0 terminals=0 used=1 quiet=9000 cpuQuiet=9000 millicores=3 hold=0 commands=0 asked=0 warned=-1\n";

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "drawbridge-idle-"));
  sshd = createServer((socket) => {
    socket.on("error", () => {});
    socket.write("SSH-2.0-own\r\n");
  });
  await new Promise<void>((resolve) => sshd.listen(0, "127.0.0.1", resolve));
  sshPort = (sshd.address() as AddressInfo).port;
  api = await startApiServer();
  await addIstioKinds(api);
  await install(api, [
    { apiVersion: "v1", kind: "Namespace", metadata: { name: "ssh" } },
    teamNamespace(team),
    ...(["culler", "activator"] as const).flatMap((role) => [
      idleServiceAccount(both, role),
      idleClusterRole(both, role),
      idleClusterBinding(both, role),
    ]),
    activatorLeaseRole(both),
    activatorLeaseBinding(both),
    ...gatewayPolicies(gateway).flatMap((policy) => [
      admissionPolicy(gateway, policy),
      admissionPolicyBinding(gateway, policy),
    ]),
  ]);
  await install(api, [
    ...objectsOf(container("dev1", { stopAfterSeconds: 3600 })),
    ...objectsOf(container("dev2", { stopAfterSeconds: 3600 })),
    ...objectsOf(container("dry", { dryRun: true, stopAfterSeconds: 3600 })),
    ...objectsOf(container("plain", undefined)),
  ]);
  await policiesStand(api);
});

afterAll(async () => {
  await api?.stop();
  sshd?.close();
  await rm(folder, { recursive: true, force: true });
});

const lines: Record<string, unknown>[] = [];
const log = (entry: Readonly<Record<string, unknown>>) => void lines.push({ ...entry });

/** The same account, with a report in the place of a log that no kubelet has. */
const reporting = (own: Kubernetes, text: () => string): Kubernetes => ({
  ...own,
  text: async (path) => {
    if (text() === "") throw new Error(`nothing at ${path}`);
    return text();
  },
});

it("the culler puts to sleep what is idle, by its own account, and says why; two of them do it once", async () => {
  const own = await account("culler");
  // Changed by the stack a moment ago, so nothing sleeps yet.
  const options = { log, metrics: new Metrics(), gpu: undefined, periodSeconds: 30, gateway: "ssh/ssh" };
  await new Culler({ ...options, api: reporting(own, () => report) }).round();
  expect(await replicas("dev1")).toBe(1);
  expect(await event("dev1")).toMatchObject({
    reason: "Awake",
    message: expect.stringMatching(
      /^changed: the stack changed it \d+ s ago \(limit 3600 s\); sleeps in \d+ s if nothing more happens$/,
    ),
  });

  // Without its report nothing sleeps, however long ago.
  const later = (text: string): Kubernetes => {
    const base = reporting(own, () => text);
    return {
      ...base,
      get: async (path: string) => {
        const answer = (await base.get(path)) as {
          items?: { metadata: { managedFields?: { time?: string }[] } }[];
        };
        for (const item of answer.items ?? [])
          for (const entry of item.metadata.managedFields ?? []) entry.time = "2020-01-01T00:00:00Z";
        return answer;
      },
    };
  };
  const cullers = [0, 1].map(() => new Culler({ ...options, api: later(report) }));
  await new Culler({ ...options, api: later("") }).round();
  expect(await replicas("dev1")).toBe(1);
  expect(await event("dev1")).toMatchObject({
    reason: "Awake",
    message: expect.stringMatching(/^missing: its log cannot be read/),
  });

  lines.length = 0;
  await Promise.all(cullers.map((culler) => culler.round()));
  expect(await Promise.all(["dev1", "dev2", "dry", "plain"].map(replicas))).toEqual([0, 0, 1, 1]);
  expect(
    lines
      .filter(({ outcome }) => outcome === "sleep")
      .map(({ container: name }) => name)
      .sort(),
  ).toEqual([`${team}/dev1`, `${team}/dev2`]);
  expect(lines.filter(({ outcome }) => outcome === "problem")).toEqual([]);
  const asleep = await event("dev1");
  expect(asleep).toMatchObject({
    reason: "Asleep",
    message: "idle: 0 sessions, quiet for 9000 s, no CPU use for 9000 s, up for 90000 s",
  });
  expect((await event("dry")).reason).toBe("WouldSleep");
  // A culler that begins anew keeps since when and why.
  await new Culler({ ...options, api: later(report) }).round();
  const { reason, message, firstTimestamp } = asleep;
  expect(await event("dev1")).toMatchObject({ reason, message, firstTimestamp });
});

it("the activator answers for what sleeps, wakes it, and gives the Service back", async () => {
  const stop = new AbortController();
  const activator = new Activator({
    api: await account("activator"),
    log,
    metrics: new Metrics(),
    address: "10.244.0.9",
    gateway: "ssh/ssh",
    limits: { wakesPerHour: 12, reconnectPause: 60, heldPerContainer: 50 },
  });
  const running = activator.run(stop.signal);
  const slice = async (name: string) =>
    JSON.parse(await api.kubectl(["-n", team, "get", "endpointslice", `${name}-asleep`, "-o", "json"])) as {
      endpoints: { addresses: string[] }[];
      ports: { name: string; port: number }[];
      metadata: { ownerReferences: { kind: string; name: string }[] };
    };
  try {
    await eventually("the activator", async () => activator.ready);
    const { endpoints, ports, metadata } = await slice("dev1");
    expect([endpoints.map(({ addresses }) => addresses), ports[0]?.name]).toEqual([
      [["10.244.0.9"]],
      "tcp-ssh",
    ]);
    expect(metadata.ownerReferences).toMatchObject([{ kind: "StatefulSet", name: "dev1" }]);
    const [one, two] = [ports[0]?.port ?? 0, (await slice("dev2")).ports[0]?.port ?? 0];
    expect(new Set([one, two, 0]).size).toBe(3);
    await expect(slice("plain")).rejects.toThrow("not found");

    let heard = "";
    const client = connect(one, "127.0.0.1").on("data", (bytes) => {
      heard += bytes.toString("latin1");
    });
    client.write("SSH-2.0-OpenSSH_10.0\r\n");
    await eventually("the wake", async () => (await replicas("dev1")) === 1);
    expect(await replicas("dev2")).toBe(0);
    // The controller has made the pod; its kubelet says where it is.
    await eventually("the pod", async () => {
      await api.kubectl([
        "-n",
        team,
        "patch",
        "pod",
        "dev1-0",
        "--subresource=status",
        "--type=merge",
        "-p",
        JSON.stringify({ status: { podIP: "127.0.0.1", podIPs: [{ ip: "127.0.0.1" }] } }),
      ]);
      return true;
    });
    await eventually("sshd's greeting", async () => heard.endsWith("SSH-2.0-own\r\n"));
    await eventually("the end of the slice", async () =>
      slice("dev1").then(
        () => false,
        (error: Error) => error.message.includes("not found"),
      ),
    );
    client.destroy();

    // Asleep again, at the same port.
    await scaleByAdmin("dev1", 0);
    await eventually("the slice again", async () => (await slice("dev1")).ports[0]?.port === one);
    // Removed with the container.
    await api.kubectl(["-n", team, "delete", "statefulset", "dev2"]);
    await eventually("the end of dev2's slice", async () =>
      slice("dev2").then(
        () => false,
        (error: Error) => error.message.includes("not found"),
      ),
    );
  } finally {
    stop.abort();
    await running;
  }
});

it("two activators have one Lease, and one of them writes slices; a quota that keeps a pod away is told in time", async () => {
  const stop = [new AbortController(), new AbortController()] as const;
  const own = await account("activator");
  // Without a node they wait for ever, but the Lease goes with a pod that is not there.
  const uidOf = async (name: string) => {
    await api.kubectl(["-n", "ssh", "run", name, "--image=none:1"]);
    return api.kubectl(["-n", "ssh", "get", "pod", name, "-o", "jsonpath={.metadata.uid}"]);
  };
  const uids = [await uidOf("pod-0"), await uidOf("pod-1")];
  const addresses = ["10.244.0.1", "10.244.0.2"];
  const running = stop.map(({ signal }, index) =>
    new Activator({
      ...{ api: own, log, metrics: new Metrics(), gateway: "ssh/ssh", handOverMs: 0 },
      address: addresses[index] ?? "",
      leadership: new Leadership({
        ...{ api: own, log, lease: "ssh/ssh-activator" },
        pod: { name: `pod-${index}`, uid: uids[index] ?? "" },
      }),
      limits: { wakesPerHour: 12, reconnectPause: 0, heldPerContainer: 50 },
    }).run(signal),
  );
  const get = async (namespace: string, kind: string, name: string) =>
    JSON.parse(await api.kubectl(["-n", namespace, "get", kind, name, "-o", "json"])) as {
      spec: { holderIdentity?: string };
      endpoints: { addresses: string[] }[];
      ports: { port: number }[];
    };
  const leader = async () =>
    Number((await get("ssh", "lease", "ssh-activator")).spec.holderIdentity?.slice("pod-".length));
  const isAt = (index: number) => async () =>
    (await get(team, "endpointslice", "dev1-asleep")).endpoints[0]?.addresses[0] === addresses[index];
  try {
    await api.kubectl(["-n", team, "create", "quota", "none", "--hard=pods=0"]);
    await scaleByAdmin("dev1", 0);
    await eventually("a slice", async () => isAt(await leader())());
    const first = await leader();
    expect([0, 1]).toContain(first);
    stop[first === 0 ? 0 : 1].abort();
    await eventually("the other's slice", isAt(1 - first));
    expect(await leader()).toBe(1 - first);

    const begun = performance.now();
    let heard = "";
    const { ports } = await get(team, "endpointslice", "dev1-asleep");
    const client = connect(ports[0]?.port ?? 0, "127.0.0.1").on("data", (bytes) => {
      heard += bytes.toString("latin1");
    });
    client.write("SSH-2.0-OpenSSH_10.0\r\n");
    await new Promise((resolve) => client.once("close", resolve));
    expect(performance.now() - begun).toBeLessThan(10_000);
    expect(heard).toMatch(
      /^drawbridge: it is being woken\r\ndrawbridge: dev1: its pod cannot be made: pods "dev1-0" is forbidden: .*quota/,
    );
    expect(heard).toMatch(
      /dev1: it cannot start: its pod cannot be made: .*platform's team for a larger quota/,
    );
  } finally {
    for (const one of stop) one.abort();
    await Promise.all(running);
    await api.kubectl(["-n", team, "delete", "quota", "none"]);
  }
});

/** What an account is answered: nothing where it may. */
async function answer(
  own: Kubernetes,
  method: "POST" | "PATCH" | "PUT" | "DELETE",
  path: string,
  body?: object,
) {
  return own.send(method, path, body).then(
    () => "accepted",
    (error: Error) => error.message,
  );
}

const scalePath = (name: string) => `/apis/apps/v1/namespaces/${team}/statefulsets/${name}/scale`;
const to = (value: number) => [{ op: "add", path: "/spec/replicas", value }];

it("each account may do its one thing, to containers that sleep, and nothing else", async () => {
  const [culler, activator] = [await account("culler"), await account("activator")];
  await api.kubectl(["-n", team, "scale", "statefulset", "dev1", "--replicas=0"]);
  // The twins: what each is there for.
  expect(await answer(activator, "PATCH", scalePath("dev1"), to(1))).toBe("accepted");
  expect(await answer(culler, "PATCH", scalePath("dev1"), to(0))).toBe("accepted");

  expect(await answer(culler, "PATCH", scalePath("dev1"), to(1))).toMatch(
    /the culler may only scale a container from 1 to 0/,
  );
  expect(await answer(activator, "PATCH", scalePath("dev1"), to(2))).toMatch(
    /the activator may only scale a container from 0 to 1/,
  );
  expect(await answer(activator, "PATCH", scalePath("dev1"), to(1))).toBe("accepted");
  expect(await answer(activator, "PATCH", scalePath("dev1"), to(0))).toMatch(/the activator may only scale/);
  // A container that does not sleep has given nobody a right.
  expect(await answer(culler, "PATCH", scalePath("plain"), to(0))).toMatch(
    /cannot patch resource "statefulsets\/scale"/,
  );
  expect(await answer(activator, "PATCH", scalePath("plain"), to(1))).toMatch(
    /cannot patch resource "statefulsets\/scale"/,
  );

  const set = `/apis/apps/v1/namespaces/${team}/statefulsets/dev1`;
  const image = [{ op: "replace", path: "/spec/template/spec/containers/0/image", value: "evil:1" }];
  for (const own of [culler, activator]) {
    expect(await answer(own, "PATCH", set, image)).toMatch(/cannot patch resource "statefulsets"/);
    expect(await answer(own, "DELETE", set)).toMatch(/cannot delete resource "statefulsets"/);
    expect(
      await own.get(`/api/v1/namespaces/${team}/secrets`).catch((error: Error) => error.message),
    ).toMatch(/cannot list resource "secrets"/);
    expect(await own.get(`/api/v1/namespaces/${team}/pods`).catch((error: Error) => error.message)).toMatch(
      /cannot list resource "pods"/,
    );
    expect(
      await own
        .text(`/api/v1/namespaces/${team}/pods/plain-0/log`, 1000)
        .catch((error: Error) => error.message),
    ).toMatch(/cannot get resource "pods\/log"/);
    expect(await answer(own, "POST", `/api/v1/namespaces/${team}/pods/dev1-0/exec?command=id`)).toMatch(
      /cannot create resource "pods\/exec"/,
    );
  }
  expect(
    await activator
      .text(`/api/v1/namespaces/${team}/pods/dev1-0/log`, 1000)
      .catch((error: Error) => error.message),
  ).toMatch(/cannot get resource "pods\/log"/);
});

it("the activator writes no slices but its own, and nobody else writes such ones", async () => {
  const [culler, activator] = [await account("culler"), await account("activator")];
  const uid = await api.kubectl(["-n", team, "get", "statefulset", "dev1", "-o", "jsonpath={.metadata.uid}"]);
  const slice = (change: object = {}, metadata: object = {}) => ({
    apiVersion: "discovery.k8s.io/v1",
    kind: "EndpointSlice",
    metadata: {
      name: "dev1-asleep",
      namespace: team,
      labels: {
        "kubernetes.io/service-name": "dev1",
        "endpointslice.kubernetes.io/managed-by": "drawbridge-activator",
        "app.kubernetes.io/component": "dev-container",
      },
      ownerReferences: [{ apiVersion: "apps/v1", kind: "StatefulSet", name: "dev1", uid }],
      ...metadata,
    },
    addressType: "IPv4",
    endpoints: [{ addresses: ["10.244.0.9"] }],
    ports: [{ name: "tcp-ssh", port: 30_000, protocol: "TCP" }],
    ...change,
  });
  const path = (namespace = team) => `/apis/discovery.k8s.io/v1/namespaces/${namespace}/endpointslices`;
  await api.kubectl(["-n", team, "delete", "endpointslice", "dev1-asleep", "--ignore-not-found"]);
  const post = (own: Kubernetes, body: object, namespace = team) =>
    answer(own, "POST", path(namespace), body);

  const labels = slice().metadata.labels;
  expect(await post(activator, slice({}, { name: "dev1" }))).toMatch(/may touch no slices but its own/);
  expect(await post(activator, slice({}, { name: "other-asleep" }))).toMatch(
    /for the Service of the container that owns it/,
  );
  expect(await post(activator, slice({}, { ownerReferences: [] }))).toMatch(
    /for the Service of the container that owns it/,
  );
  expect(
    await post(
      activator,
      slice(
        {},
        {
          labels: { ...labels, "endpointslice.kubernetes.io/managed-by": "endpointslice-controller.k8s.io" },
        },
      ),
    ),
  ).toMatch(/may touch no slices but its own/);
  expect(await post(activator, slice({ ports: [{ name: "tcp-web", port: 80 }] }))).toMatch(
    /for sshd's port alone/,
  );
  expect(
    await post(activator, slice({ endpoints: [{ addresses: ["10.0.0.1"] }, { addresses: ["10.0.0.2"] }] })),
  ).toMatch(/one address/);
  // The cluster's own slices, here the API server's.
  await install(api, [
    {
      ...slice(
        {},
        {
          name: "kubernetes-test",
          namespace: "default",
          ownerReferences: [],
          labels: { "kubernetes.io/service-name": "kubernetes" },
        },
      ),
    },
  ]);
  expect(await answer(activator, "DELETE", `${path("default")}/kubernetes-test`)).toMatch(
    /may touch no slices but its own/,
  );
  // Its twin, and that the other account may not.
  expect(await post(culler, slice())).toMatch(/cannot create resource "endpointslices"/);
  expect(await post(activator, slice())).toBe("accepted");
  expect(await answer(activator, "DELETE", `${path()}/dev1-asleep`)).toBe("accepted");
});

it("the stack's own changes wake nobody and put nobody to sleep; running: false does, against every other owner", async () => {
  const apply = async (idle: object, more: object = {}, force = false) =>
    api.kubectl(
      [
        "apply",
        "--server-side",
        "--field-manager=pulumi-kubernetes-1234",
        ...(force ? ["--force-conflicts"] : []),
        "-f",
        "-",
      ],
      JSON.stringify(statefulSet(container("dev3", idle, more))),
    );
  await install(
    api,
    idleGrants(container("dev3", {})).flatMap(({ role, binding }) => [role, binding]),
  );
  const [culler, activator] = [await account("culler"), await account("activator")];
  await apply({});
  expect(await replicas("dev3")).toBe(1);
  expect(await answer(culler, "PATCH", scalePath("dev3"), to(0))).toBe("accepted");
  await apply({ stopAfterSeconds: 10_800 });
  expect(await replicas("dev3")).toBe(0);
  // Off and on while it sleeps.
  await apply({}, { running: false });
  expect(await replicas("dev3")).toBe(0);
  await apply({});
  expect(await replicas("dev3")).toBe(1);
  // Off and on while it is awake by the activator, which owns the number of pods then.
  expect(await answer(culler, "PATCH", scalePath("dev3"), to(0))).toBe("accepted");
  expect(await answer(activator, "PATCH", scalePath("dev3"), to(1))).toBe("accepted");
  await apply({}, { running: false });
  expect(await replicas("dev3")).toBe(0);
  await apply({});
  expect(await replicas("dev3")).toBe(1);
  // By kubectl, as an operator would: the annotation asks the provider for this force.
  await scaleByAdmin("dev3", 0);
  await scaleByAdmin("dev3", 1);
  await apply({}, { running: false }, true);
  expect(await replicas("dev3")).toBe(0);
  await apply({}, {}, true);
  expect(await replicas("dev3")).toBe(1);
});
