/** Updates with the stacks' provider settings: keys changed in place, what a claim refuses, the company's proxy. */
import type { DevContainerArgs } from "@drawbridge-iac/drawbridge";
import * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { phaseText, whyNot } from "../../packages/cli/src/list/container-state.ts";
import type { PodReport } from "../../packages/drawbridge/src/dev-container/phase.ts";
import {
  containerStatus,
  podReading,
  type WorkloadReport,
} from "../../packages/drawbridge/src/dev-container/status.ts";
import { imageRef } from "../../packages/lab/src/images/index.ts";
import { takesOver } from "../../scripts/lib/engine/engine.ts";
import { eventually, getObject, kubectl, Laptop } from "../../scripts/lib/lab/lab.ts";
import { ContainerStack, type Containers } from "../support/stacks/containers.ts";

const team = "team-up";
const page = "~/www/http:/intranet.example";
/** A web server that is asked for whole addresses, as a proxy is, and has one of them. */
const company = {
  args: [
    "sh",
    "-c",
    `mkdir -p ${page} && echo through the proxy >${page}/hello && exec python3 -m http.server 3128 --directory ~/www`,
  ],
  ingress: [{ namespace: team, ports: [3128] }],
} satisfies Containers[string];

let stack: ContainerStack;
let bob: Laptop;

beforeAll(async () => {
  // As packages/drawbridge/src/stacks/program/teams.ts has it.
  const env = { PULUMI_K8S_ENABLE_CONFIGMAP_MUTABLE: "true" };
  stack = await ContainerStack.create(team, "gw-up", { env });
  bob = await Laptop.create("bob");
  await stack.up({ box: { home: { size: "1Gi" } }, company });
  await stack.output("box", "echo kept >~/mine");
});

afterAll(async () => {
  await stack.close();
  await bob.remove();
});

/** An `up` that is stopped by hand as soon as something has come; returns how it failed. */
async function stopped(containers: Containers, what: string, check: () => Promise<boolean>): Promise<string> {
  stack.containers = containers;
  const hand = new AbortController();
  const failed = stack.stack.stack.up({ signal: hand.signal }).then(
    () => "it did not fail",
    (error: Error) => error.message,
  );
  await eventually(what, check);
  hand.abort();
  return failed;
}

const change = (box: Containers[string]) => stack.up({ ...stack.containers, box });
const podUid = async () => (await stack.pod<{ metadata: { uid: string } }>("box")).metadata.uid;

describe("keys in a ConfigMap that is changed in place", () => {
  it("are added, changed and removed under ten sessions, with none lost and no restart", async () => {
    const uid = await podUid();
    const sessions = Array.from({ length: 10 }, () => stack.laptop.openCounter("box", 500));
    const mayLogIn = async (laptop: Laptop) => (await laptop.ssh(["box", "true"])).code === 0;
    const alice = stack.laptop.publicKey;
    try {
      await Promise.all(sessions.map((session) => session.reached(2, 60)));
      await bob.configure(stack.outputs.box?.sshConfig ?? "", stack.outputs.box?.knownHosts ?? "");
      expect(await mayLogIn(bob)).toBe(false);
      const effects: number[] = [];
      for (const [keys, effect] of [
        [[alice, bob.publicKey], () => mayLogIn(bob)],
        [[bob.publicKey], async () => !(await mayLogIn(stack.laptop))],
        [[alice], async () => !(await mayLogIn(bob))],
      ] as const) {
        const changes = await change({ ...stack.containers.box, authorizedKeys: [...keys] });
        // The ConfigMap and the component's own inputs.
        expect(changes).toMatchObject({ update: 2 });
        expect(changes.replace).toBeUndefined();
        const updated = Date.now();
        await eventually("the keys' effect", effect, 150);
        effects.push((Date.now() - updated) / 1000);
      }
      console.log(
        `keys took effect ${effects.map((each) => each.toFixed(1)).join(", ")} s after the updates`,
      );
      expect(sessions.map(({ alive, unbroken }) => alive && unbroken)).toEqual(Array(10).fill(true));
      expect(await podUid()).toBe(uid);
    } finally {
      await Promise.all(sessions.map((session) => session.close()));
    }
  });
});

describe("a home's claim", () => {
  /** The update's failure; the pod and its data must not notice. */
  const failing = async (home: NonNullable<DevContainerArgs["home"]>) => {
    const uid = await podUid();
    const failure = await change({ home }).then(
      () => "no failure",
      (error: Error) => error.message,
    );
    expect(await podUid()).toBe(uid);
    expect(await stack.output("box", "cat ~/mine")).toBe("kept\n");
    return failure;
  };

  it("is not made smaller, which the API says in words", async () => {
    expect(await failing({ size: "512Mi" })).toMatch(/can not be less than/);
    expect(await change({ home: { size: "1Gi" } })).not.toHaveProperty("replace");
  });

  it("does not get another class, and is then taken by name with all that is in it", async () => {
    const refusal = (await takesOver()) ? "is invalid: spec: Forbidden: spec is immutable" : "already exists";
    expect(await failing({ size: "1Gi", storageClassName: "other" })).toContain(`"box-home" ${refusal}`);
    await change({ home: { claimName: "box-home" } });
    expect(await stack.output("box", "cat ~/mine")).toBe("kept\n");
  });
});

describe("a secret variable", () => {
  const home = { claimName: "box-home" };
  const [first, second] = ["first $(HOME) value", "second"];
  const shown = () => stack.output("box", 'printf %s "$TOKEN"');
  const given = (value: string) => change({ home, secretEnv: { TOKEN: pulumi.secret(value) } });

  it("is in every session, and of the objects in its Secret alone", async () => {
    await given(first);
    expect(await shown()).toBe(first);
    const objects = ["-n", team, "get", "-o", "json", "statefulsets,pods,configmaps,controllerrevisions"];
    expect(await kubectl(objects)).not.toContain(first);
    const { data } = await getObject<{ data: object }>(["-n", team, "secret", "box-env"]);
    expect(data).toEqual({ TOKEN: btoa(first) });
  });

  it("restarts the pod when it has another value, and then only", async () => {
    const uid = await podUid();
    expect(Object.keys(await given(first))).toEqual(["same"]);
    expect(await podUid()).toBe(uid);
    await given(second);
    expect(await shown()).toBe(second);
    expect(await podUid()).not.toBe(uid);
  });

  it("is refused in env, and nothing happens", async () => {
    const uid = await podUid();
    const failure = await change({ home, env: { TOKEN: pulumi.secret(first) } }).then(
      () => "no failure",
      (error: Error) => error.message,
    );
    expect(failure).toContain(
      "  - env.TOKEN: is a secret, and env is readable in the cluster; move it to secretEnv",
    );
    expect(failure).not.toContain(first);
    expect(await podUid()).toBe(uid);
    expect(await shown()).toBe(second);
  });
});

describe("the company's proxy", () => {
  it("is asked for what is outside, and not for what is near", async () => {
    const { status } = await stack.pod<{ status: { podIP: string } }>("company");
    await change({
      home: { claimName: "box-home" },
      proxy: { http: `http://${status.podIP}:3128`, except: ["near.example"] },
      egress: { allow: [{ cidr: `${status.podIP}/32`, ports: [3128] }] },
    });
    expect(await stack.output("box", "curl -sS http://intranet.example/hello")).toBe("through the proxy\n");
    const tunnel = await stack.ssh("box", "curl -sS https://intranet.example/");
    expect(tunnel.stderr).toContain("CONNECT tunnel failed, response 501");
    for (const near of ["http://localhost:9/", "http://near.example/"]) {
      const outcome = await stack.ssh("box", `curl -sS ${near}`);
      expect(outcome.stderr).toMatch(/Couldn't connect|Could not resolve host|Failed to connect/i);
    }
  });
});

describe("a container switched off and on", () => {
  it("comes back as it was: home, host key, names and the neighbours' sessions", async () => {
    const before = stack.outputs.box;
    const kept = { home: { claimName: "box-home" } };
    await change(kept);
    const neighbour = stack.laptop.openCounter("company", 200);
    try {
      await neighbour.reached(2, 60);
      const off = await change({ ...kept, running: false });
      // The StatefulSet and the component's own inputs; nothing else is touched.
      expect(off).toMatchObject({ update: 2 });
      expect([off.create, off.delete, off.replace]).toEqual([undefined, undefined, undefined]);
      await eventually("the pod's end", async () => {
        const left = await getObject<{ items: unknown[] }>([
          "pods",
          "-n",
          team,
          "-l",
          "app.kubernetes.io/instance=box",
        ]);
        return left.items.length === 0;
      });
      const refused = await stack.laptop.ssh(["box", "true"]);
      expect(refused.code).toBe(255);
      expect(refused.stderr).toMatch(/503|Connection closed/);
      await change({ ...kept, running: true });
      expect(await stack.output("box", "cat ~/mine")).toBe("kept\n");
      const { knownHosts, sshConfig } = stack.outputs.box ?? {};
      expect({ knownHosts, sshConfig }).toEqual({
        knownHosts: before?.knownHosts,
        sshConfig: before?.sshConfig,
      });
      expect([neighbour.alive, neighbour.unbroken]).toEqual([true, true]);
    } finally {
      await neighbour.close();
    }
  });
});

describe("a StatefulSet", () => {
  const kept = { home: { size: "1Gi" } };
  /** What the container is known by, and the file in its home. */
  const same = async (name: string) => ({
    known: stack.outputs[name]?.knownHosts,
    mine: await stack.output(name, "cat ~/mine"),
  });
  const setOf = <T>(name: string) => getObject<T>(["-n", team, "statefulset", name]);
  const uidOf = async (name: string) => (await setOf<{ metadata: { uid: string } }>(name)).metadata.uid;

  const wrong = "registry.invalid/nobody/none:1.0.0";
  /** What `list` says of the pod. */
  const status = async (name: string) => {
    const workload = await setOf<WorkloadReport>(name);
    const declared = { running: true, sleeps: false, hasSshd: true, hasFrpc: false };
    return containerStatus(podReading(await stack.pod<PodReport>(name), workload), declared);
  };
  const told = async (name: string) => phaseText(await status(name));
  const pullFails = async (name: string) =>
    /^Failing: (ErrImagePull|ImagePullBackOff)$/.test(await told(name));

  it("heals by itself when a wrong image is put right", async () => {
    const healing = { ...kept, wait: false };
    await stack.up({ ...stack.containers, healing });
    await stack.output("healing", "echo kept >~/mine");
    const before = await same("healing");
    const set = await uidOf("healing");
    await stack.up({ ...stack.containers, healing: { ...healing, image: wrong } });
    // The old pod was ready when Pulumi looked, and is none to hope for.
    expect(stack.outputs.healing?.phase).toBe("Starting");
    await eventually("a pull that fails", () => pullFails("healing"));
    await stack.up({ ...stack.containers, healing });
    await stack.ready("healing");
    expect(await same("healing")).toEqual(before);
    expect(await uidOf("healing")).toBe(set);
  });

  it("whose update was stopped by hand is put right by an up that looks first; until then list says what is wrong", async () => {
    const right = { ...stack.containers, stopped: kept };
    await stack.up(right);
    await stack.output("stopped", "echo kept >~/mine");
    const before = await same("stopped");
    // The provider would take the status before the change for the one after it: a pod that is held on its way out is
    // none to be satisfied with.
    const held = async (...finalizers: string[]) =>
      kubectl([
        ...["-n", team, "patch", "pod", "stopped-0", "--type=merge", "-p"],
        JSON.stringify({ metadata: { finalizers } }),
      ]);
    const set = () =>
      setOf<{
        spec: { template: { spec: { containers: { image: string }[] } } };
        status: { readyReplicas?: number };
      }>("stopped");
    await held("drawbridge.example/held");
    await kubectl(["-n", team, "delete", "pod", "stopped-0", "--wait=false"]);
    await eventually("no ready pod", async () => !(await set()).status.readyReplicas);
    const failure = await stopped(
      { ...right, stopped: { ...kept, image: wrong } },
      "a pull that fails",
      async () => {
        const { containers } = (await set()).spec.template.spec;
        if (containers.some(({ image }) => image === wrong)) await held();
        return pullFails("stopped");
      },
    );
    expect(failure).toContain("cancelled");
    // Pulumi knows nothing of the workload's change, so that only the component's own inputs are another.
    expect(await stack.up(right)).toMatchObject({ update: 1 });
    expect(await pullFails("stopped")).toBe(true);
    expect(whyNot(await status("stopped"))?.message).toMatch(/an up was stopped: pulumi up --refresh$/);
    expect(await stack.up(right, { refresh: true })).toMatchObject({ update: 1 });
    await stack.ready("stopped");
    expect([await told("stopped"), await same("stopped")]).toEqual(["Ready", before]);
    expect(stack.outputs.stopped?.phase).toBe("Ready");
  });

  it("of an earlier version, which would not heal, is replaced once: home, host key and names stay", async () => {
    // As earlier versions made it.
    const earlier = () => {
      pulumi.runtime.registerStackTransformation(({ name, props, opts }) =>
        name === "earlier-workload"
          ? { props: { ...props, spec: { ...props.spec, podManagementPolicy: "OrderedReady" } }, opts }
          : undefined,
      );
      return kept;
    };
    await stack.up({ ...stack.containers, earlier });
    await stack.output("earlier", "echo kept >~/mine");
    const before = await same("earlier");
    const [set, pod] = [
      await uidOf("earlier"),
      (await stack.pod<{ metadata: { uid: string } }>("earlier")).metadata.uid,
    ];
    const changes = await stack.up({ ...stack.containers, earlier: kept });
    expect([changes.replace, changes.create, changes.delete]).toEqual([1, undefined, undefined]);
    expect(await same("earlier")).toEqual(before);
    expect(await uidOf("earlier")).not.toBe(set);
    // None is left over from before, and none was made twice.
    const pods = await getObject<{ items: { metadata: { name: string; uid: string } }[] }>([
      "pods",
      "-n",
      team,
      "-l",
      "app.kubernetes.io/instance=earlier",
    ]);
    expect(pods.items.map(({ metadata }) => metadata.name)).toEqual(["earlier-0"]);
    expect(pods.items[0]?.metadata.uid).not.toBe(pod);
  });
});

describe("what other resources of the program bring", () => {
  const image = (tag: string) =>
    pulumi.output(Promise.resolve(imageRef("devcontainer").replace(/:[^:]+$/, tag)));

  it("is waited for, and a wrong one ends in one clear error, after which a second up goes on", async () => {
    const right = imageRef("devcontainer").match(/:[^:]+$/)?.[0] ?? "";
    const later = (tag: string) => () => {
      const secret = new k8s.core.v1.Secret("later", {
        metadata: { name: "later", namespace: team },
        stringData: { word: "from a secret of the same program" },
      });
      return {
        home: { size: "1Gi" },
        image: image(tag),
        mounts: [{ secretName: secret.metadata.name, mountPath: "/secrets/later" }],
      };
    };
    const failure = await stack.up({ ...stack.containers, later: later("") }).then(
      () => "no failure",
      (error: Error) => error.message,
    );
    expect(failure).toContain('DevContainer "later": 1 fault in its arguments, what uses them was not made:');
    expect(failure).toMatch(/ {2}- image: "[^"]+" is not a pinned image/);
    const made = await getObject<{ items: unknown[] }>([
      "statefulsets",
      "-n",
      team,
      "-l",
      "app.kubernetes.io/instance=later",
    ]);
    expect(made.items).toEqual([]);
    await stack.up({ ...stack.containers, later: later(right) });
    expect(await stack.output("later", "cat /secrets/later/word")).toBe("from a secret of the same program");
  });
});
