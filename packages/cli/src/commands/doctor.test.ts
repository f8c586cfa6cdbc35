/** `drawbridge doctor` and `list` on a laptop with few containers; only the API server and the gateway are fakes. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { listening } from "../machine.fixture.ts";
import { sshTarget } from "../ssh-target.fixture.ts";
import { type Answer, podBehind, startApi } from "../sshpod/api.fixture.ts";
import { doctor } from "./doctor.ts";
import { list } from "./list.ts";

const ends: (() => unknown)[] = [];
afterEach(async () => {
  vi.unstubAllEnvs();
  for (const end of ends.splice(0)) await end();
});

/**
 * A laptop that knows these targets, and whose kubeconfig leads to a fake API server.
 * @param answers objects, or refusals, by request path; every other path answers 404
 */
async function laptop(targets: readonly object[], answers: Readonly<Record<string, object | Answer>> = {}) {
  const home = await mkdtemp(join(tmpdir(), "drawbridge-laptop-"));
  ends.push(() => rm(home, { recursive: true }));
  const bodies = Object.entries(answers).map(([path, answer]) => [
    path,
    Array.isArray(answer) ? answer : [200, JSON.stringify(answer)],
  ]);
  const { kubeconfig } = await startApi(Object.fromEntries(bodies));
  const known = targets.map((one) => ({ ...sshTarget(), ...one }));
  const sources = known.length === 0 ? [] : [{ label: "a", options: {}, targets: known, storages: [] }];
  await mkdir(join(home, ".ssh/drawbridge"), { recursive: true });
  await writeFile(join(home, ".ssh/drawbridge/targets.json"), JSON.stringify({ sources }));
  vi.stubEnv("HOME", home);
  vi.stubEnv("KUBECONFIG", kubeconfig);
}

const doctored = async (name?: string) => {
  const lines: string[] = [];
  const isWell = await doctor(name, {}, (line) => lines.push(line));
  return { isWell, lines };
};

const sshpod = { way: "sshpod", pod: "dev1-0", namespace: "team-a" };

describe("a host that is no container", () => {
  /** It is known to the gateway, and nothing answers behind it. */
  const box = async () => {
    const gateway = createServer();
    gateway.on("connect", (_, socket) => socket.end("HTTP/1.1 503 Service Unavailable\r\n\r\n"));
    ends.push(() => gateway.close());
    const port = await listening(gateway);
    const ways = [{ way: "gateway", address: "127.0.0.1", port }];
    const labels = "app.kubernetes.io/instance=box,app.kubernetes.io/component in (ssh-route,injected-sshd)";
    await laptop([{ name: "box", hostName: "box.team-a.dev.example.com", ways }], {
      [`/apis/networking.istio.io/v1/namespaces/team-a/virtualservices?labelSelector=${labels}`]: {
        items: [
          {
            metadata: { name: "box-ssh", labels: { "app.kubernetes.io/component": "ssh-route" } },
            spec: { http: [{ route: [{ destination: { host: "legacy.team-a.svc.cluster.local" } }] }] },
          },
        ],
      },
    });
    return port;
  };

  it("doctor says what the cluster knows of it, and mentions no container and no pod", async () => {
    const port = await box();
    expect(await doctored("box")).toEqual({
      isWell: false,
      lines: [
        `box by gateway (http://127.0.0.1:${port})`,
        "  ok   DNS: 127.0.0.1 is 127.0.0.1",
        `  ok   TCP: port ${port} is open`,
        "  FAIL CONNECT: the gateway knows box.team-a.dev.example.com:22, but nothing answers there (503); it is starting, stopped or not ready",
        "  FAIL cluster: there is no Service legacy in namespace team-a of context x; check both names, or mend serviceName of the SshRoute",
        "0 of 1 ways lead to a login",
      ],
    });
  });

  it("list shows a dash for its pod", async () => {
    await box();
    const [, row, ...rest] = (await list({})).split("\n");
    expect(row?.split(/ {2,}/)).toEqual([
      "box",
      "jovyan",
      "box.team-a.dev.example.com",
      "-",
      "gateway says 503",
    ]);
    expect(rest).toEqual([""]);
  });
});

describe("a pod that hangs", () => {
  const waiting = { reason: "ImagePullBackOff", message: "back-off" };
  const hanging = () =>
    laptop([{ ways: [sshpod] }], {
      "/api/v1/namespaces/team-a/pods/dev1-0": {
        metadata: { name: "dev1-0", namespace: "team-a", labels: { "controller-revision-hash": "old" } },
        spec: { containers: [{ name: "dev" }] },
        status: { phase: "Pending", containerStatuses: [{ name: "dev", state: { waiting } }] },
      },
      "/apis/apps/v1/namespaces/team-a/statefulsets/dev1": {
        metadata: { generation: 3 },
        spec: { replicas: 1 },
        status: { observedGeneration: 3, replicas: 1, currentRevision: "old", updateRevision: "new" },
      },
    });
  const why =
    "the pod is of an earlier specification (ImagePullBackOff of container dev: back-off; check the image's name in the stack, its registry, and the pull secret); if it stays: kubectl -n team-a delete pod dev1-0";

  it("list says why the container is not ready and what to do", async () => {
    await hanging();
    const [head, row, gap, ...rest] = (await list({})).split("\n");
    expect([head?.split(/ {2,}/)[3], row?.split(/ {2,}/)[3], gap]).toEqual(["POD", "Failing: OldPod", ""]);
    expect(rest).toEqual(["NOT READY  WHY", `dev1       ${why}`, ""]);
  });

  it("doctor says so before it tries the ways in", async () => {
    await hanging();
    const { isWell, lines } = await doctored("dev1");
    expect(isWell).toBe(false);
    expect(lines.slice(0, 3)).toEqual([
      "dev1 in its cluster",
      `  FAIL pod: ${why}`,
      expect.stringMatching(/^dev1 by sshpod /),
    ]);
    expect(lines.at(-1)).toBe("0 of 1 ways lead to a login");
  });
});

/** After a first `pulumi up` that failed Pulumi has no outputs, so no laptop can have read them. */
describe("a container that this laptop knows from no stack", () => {
  const labels = "app.kubernetes.io/managed-by=drawbridge,app.kubernetes.io/component=dev-container";
  const hanging = {
    "/api/v1/namespaces/team-a/pods/dev1-0": {
      metadata: { name: "dev1-0", namespace: "team-a" },
      spec: { containers: [{ name: "dev" }] },
      status: {
        phase: "Pending",
        containerStatuses: [
          { name: "dev", state: { waiting: { reason: "ErrImagePull", message: "no such image" } } },
        ],
      },
    },
  };
  const items = [
    { metadata: { name: "dev1", namespace: "team-a", labels: { "app.kubernetes.io/instance": "dev1" } } },
  ];
  const forbidden: Answer = [403, '{"message":"no"}'];
  const shown = {
    isWell: false,
    lines: [
      "dev1 of namespace team-a, which this laptop knows from no stack",
      expect.stringMatching(/^ {2}FAIL pod: ErrImagePull of container dev: no such image; check the image/),
      "once `pulumi up` ends well and the stack gives out sshTarget, run: drawbridge ssh-config --stack STACK",
    ],
  };

  it.each([
    [
      "by name",
      "dev1",
      { [`/apis/apps/v1/statefulsets?labelSelector=${labels},app.kubernetes.io/instance=dev1`]: { items } },
    ],
    ["among all", undefined, { [`/apis/apps/v1/statefulsets?labelSelector=${labels}`]: { items } }],
    [
      "by who may look into one namespace",
      undefined,
      { "/apis/apps/v1/statefulsets": forbidden, "/apis/apps/v1/namespaces/default/statefulsets": { items } },
    ],
  ])("is diagnosed from the cluster, %s", async (_how, name, lists) => {
    await laptop([], { ...hanging, ...lists });
    expect(await doctored(name)).toEqual(shown);
  });

  it("is not known where the cluster has none, does not answer or may not be asked", async () => {
    for (const answers of [{ "/apis/apps/v1/statefulsets": { items: [] } }, {}]) {
      await laptop([{}], answers);
      await expect(doctored("dev2")).rejects.toThrow('no container is called "dev2"; known: dev1');
    }
  });
});

describe("an account that may look at a pod, and may not forward its port", () => {
  const forbidden = 'pods "dev1-0" is forbidden: User "bob" cannot create resource "pods/portforward"';
  const closed = { way: "gateway", address: "127.0.0.1", port: 1 };
  const limited = async () => {
    const other = { name: "dev2", hostName: "dev2.dev.example.com", ways: [closed] };
    await laptop([{ ways: [sshpod] }, other], podBehind(403, forbidden));
  };

  it("gets the list of all", async () => {
    await limited();
    const rows = (await list({})).split("\n").map((line) => line.split(/ {2,}/).at(-1));
    expect(rows.slice(0, 3)).toEqual(["WAYS IN", "sshpod: no answer (pod)", "gateway: no answer (TCP)"]);
  });

  it("is told by doctor which right is missing", async () => {
    await limited();
    const { lines } = await doctored();
    expect(lines).toContain(
      `  FAIL pod: the Kubernetes API answered 403: ${forbidden}; ask your platform team to allow it`,
    );
    expect(lines.at(-1)).toBe("0 of 2 containers can be logged in to");
  });
});

/** Most people's laptops have none: the way by the Kubernetes API is then no fault of a container's. */
describe("without a kubeconfig", () => {
  const closed = { way: "gateway", address: "127.0.0.1", port: 1 };
  const knows = async (...targets: object[]) => {
    await laptop(targets);
    vi.stubEnv("KUBECONFIG", "/nowhere");
    vi.stubEnv("KUBERNETES_SERVICE_HOST", "");
  };

  it("doctor leaves the way out, and says so", async () => {
    await knows({ ways: [closed, sshpod] });
    const { lines } = await doctored("dev1");
    expect(lines[0]).toBe("dev1 by sshpod is left out: it needs a kubeconfig, and none is here");
    expect(lines.at(-1)).toBe("0 of 1 ways lead to a login");
  });

  it("doctor tries it where it is the only one", async () => {
    await knows({ ways: [sshpod] });
    expect((await doctored("dev1")).lines.slice(-2)).toEqual([
      "  FAIL pod: there is no kubeconfig: KUBECONFIG names none, and ~/.kube/config is not there; ask your platform team for one",
      "0 of 1 ways lead to a login",
    ]);
  });

  it("doctor of all keeps the lines of each container together", async () => {
    const names = Array.from({ length: 40 }, (_, at) => `dev${at}`);
    await knows(...names.map((name) => ({ name, hostName: `${name}.dev.example.com`, ways: [closed] })));
    const { lines } = await doctored();
    const heads = lines.filter((line) => line.includes(" by gateway ")).map((line) => line.split(" ")[0]);
    expect([...heads].sort()).toEqual([...names].sort());
    for (const name of names) {
      expect(lines).toContain(`${name}: 0 of 1 ways lead to a login\n`);
      const head = lines.indexOf(`${name} by gateway (http://127.0.0.1:1)`);
      expect(lines.indexOf(`${name}: 0 of 1 ways lead to a login\n`)).toBe(head + 3);
    }
    expect(lines.at(-1)).toBe("0 of 40 containers can be logged in to");
  });

  it("list says what it needs", async () => {
    await knows({ ways: [closed, sshpod] });
    expect(await list({})).toContain("gateway: no answer (TCP), sshpod needs a kubeconfig\n");
  });
});

describe("a container that reaches hosts by name", () => {
  const grant = "/apis/rbac.authorization.k8s.io/v1/namespaces/team-a/rolebindings/egress-grant.dev1";
  const pods =
    "/api/v1/namespaces/out/pods?labelSelector=app.kubernetes.io/component=egress-gateway,app.kubernetes.io/instance=egress";
  const log = (pod: string) => `/api/v1/namespaces/out/pods/${pod}/log?container=authorizer&tailLines=20000`;
  const ready = { conditions: [{ type: "Ready", status: "True" }] };
  const running = (...names: string[]) => ({
    items: names.map((name) => ({ metadata: { name }, status: ready })),
  });
  const now = (seconds: number) => new Date(Date.now() - seconds * 1000).toISOString();
  const event = (time: string, host: string, more: object = {}) => {
    const reason = `team-a/dev1 may not reach ${host}:443; add "${host}" to its egress.hosts`;
    const what = `CONNECT ${host}:443`;
    return JSON.stringify({
      time,
      container: "team-a/dev1",
      way: "egress",
      what,
      outcome: "refused",
      reason,
      ...more,
    });
  };
  const [early, late, lately, long] = [now(60), now(30), now(10), now(7200)];
  const cluster = {
    [grant]: { subjects: [{ kind: "ServiceAccount", name: "egress", namespace: "out" }] },
    [pods]: running("egress-a", "egress-b"),
    [log("egress-a")]: [
      200,
      [
        "starting",
        event(early, "crates.io"),
        event(lately, "pypi.org", { outcome: "allowed", reason: undefined }),
        event(lately, "evil.example", { container: "team-a/dev10" }),
        event(long, "old.example"),
        '"a text"',
        event(late, "crates.io").slice(0, -5),
      ].join("\n"),
    ] as Answer,
    [log("egress-b")]: [200, `${event(late, "crates.io")}\n`] as Answer,
  };
  const known = [{ ways: [sshpod] }];

  it("list says what it was refused, the last one first, by either name", async () => {
    await laptop(known, cluster);
    const expected = [
      "LAST TIMES ASKED FOR WHY",
      `${late} 2 CONNECT crates.io:443 team-a/dev1 may not reach crates.io:443; add "crates.io" to its egress.hosts`,
      `${long} 1 CONNECT old.example:443 team-a/dev1 may not reach old.example:443; add "old.example" to its egress.hosts`,
      "",
    ];
    for (const denied of ["dev1", "team-a/dev1"]) {
      const lines = (await list({ denied })).split("\n").map((line) => line.replaceAll(/ {2,}/g, " "));
      expect(lines).toEqual(expected);
    }
    const { denials } = JSON.parse(await list({ denied: "dev1", json: true }));
    expect(denials[0]).toMatchObject({ time: late, what: "CONNECT crates.io:443", times: 2 });
  });

  it("list says what frp's server refused it as well", async () => {
    const rights = "/apis/rbac.authorization.k8s.io/v1/namespaces/team-a/rolebindings";
    const frpPods = "app.kubernetes.io/component=frp-server,app.kubernetes.io/instance=frps";
    const refused = { way: "frp", what: "NewProxy other.ssh.example.com", reason: "not this container's" };
    await laptop(known, {
      ...cluster,
      [`${rights}/frp-grant.dev1`]: {
        subjects: [{ kind: "ServiceAccount", name: "frps", namespace: "out" }],
      },
      [`/api/v1/namespaces/out/pods?labelSelector=${frpPods}`]: running("frps-a"),
      [log("frps-a")]: [200, event(lately, "", refused)] as Answer,
    });
    const { denials } = JSON.parse(await list({ denied: "dev1", json: true }));
    const { what, reason } = refused;
    expect(denials).toEqual([
      { time: lately, what, reason, times: 1 },
      expect.objectContaining({ what: "CONNECT crates.io:443" }),
      expect.objectContaining({ what: "CONNECT old.example:443" }),
    ]);
  });

  it("list says why it knows nothing", async () => {
    await laptop(known, cluster);
    await expect(list({ denied: "team-a/dev2" })).rejects.toThrow("team-a/dev2 names no hosts");
    await expect(list({ denied: "dev2" })).rejects.toThrow('no container is called "dev2"');
    await laptop(known, { ...cluster, [log("egress-b")]: [403, '{"message":"not for you"}'] });
    await expect(list({ denied: "dev1" })).rejects.toThrow(
      "answered 403: not for you; ask your platform team",
    );
  });

  const inCluster = async (answers: Readonly<Record<string, object | Answer>>) => {
    await laptop(known, answers);
    const { lines } = await doctored("dev1");
    return lines.filter((line) => line.includes("egress"));
  };

  it("doctor says what was refused within the hour, and that the gateway is away", async () => {
    expect(await inCluster(cluster)).toEqual([
      '  FAIL egress: team-a/dev1 may not reach crates.io:443; add "crates.io" to its egress.hosts (2 times)',
    ]);
    expect(await inCluster({ ...cluster, [pods]: { items: [{ metadata: { name: "a" } }] } })).toEqual([
      "  FAIL egress: the egress gateway egress in namespace out has no pod that is ready, so no host of the internet is reached; tell your platform team",
    ]);
    expect(await inCluster({ ...cluster, [pods]: [403, '{"message":"not for you"}'] })).toEqual([]);
    expect(await inCluster({})).toEqual([]);
  });
});
