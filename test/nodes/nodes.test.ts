/** The lab's three nodes: one network, two kinds of volumes, and what Kubernetes makes of a node that is lost. */
import { freezeNode, loadImage, startNode, status, stopNode, thawNode } from "@drawbridge-iac/lab";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eventually, getObject, kubectl, type Outcome, run } from "../../scripts/lib/lab/lab.ts";
import { claim, namespace, pod, service } from "../support/lab/lab-objects.ts";
import {
  drain,
  givenUp,
  lab,
  livingPods,
  on,
  type PodObject,
  readinessOf,
  readyAgain,
  uncordon,
} from "../support/lab/nodes.ts";

const [second, third] = ["lab-node-2", "lab-node-3"] as const;
const idle = "exec sleep 1000000";
const serve = "echo hello > /tmp/index.html; exec httpd -f -p 8080 -h /tmp";
const networkDisk = { storageClassName: "network-disk" };

beforeAll(async () => {
  await kubectl(["create", "namespace", namespace]);
  await apply(
    pod("web", { role: "web" }, serve, undefined, on(third)),
    service("web", { role: "web" }, { type: "ClusterIP" }),
    pod("friend", { role: "friend" }, idle, undefined, on(second)),
  );
  await ready("web", "friend");
});

afterAll(async () => {
  await kubectl(["delete", "namespace", namespace, "--wait=false"]);
});

test("three nodes are ready, each with an address and pods of its own", async () => {
  interface NodeList {
    items: { metadata: { name: string }; status: { addresses: { type: string; address: string }[] } }[];
  }
  const { items } = await getObject<NodeList>(["nodes"]);
  const found = items.map(({ metadata, status }) => [
    metadata.name,
    status.addresses.find(({ type }) => type === "InternalIP")?.address,
  ]);
  expect(found).toEqual([
    ["lab-node", "10.201.0.1"],
    [second, "10.201.0.2"],
    [third, "10.201.0.3"],
  ]);
  for (const [name = ""] of found) expect(await readinessOf(name)).toBe("True");
  expect((await look("friend")).status.podIP).toMatch(/^10\.244\.1\.\d+$/);
  expect((await look("web")).status.podIP).toMatch(/^10\.244\.2\.\d+$/);
});

test("pods that are to keep apart are on three nodes", async () => {
  const labels = { app: "spread" };
  const apart = {
    maxSkew: 1,
    topologyKey: "kubernetes.io/hostname",
    whenUnsatisfiable: "DoNotSchedule",
    labelSelector: { matchLabels: labels },
  };
  await apply(deployment("spread", labels, { topologySpreadConstraints: [apart] }, 3));
  await kubectl(["rollout", "status", "-n", namespace, "deployment/spread", "--timeout=60s"]);
  const nodes = (await livingPods(namespace, "app=spread")).map(({ spec }) => spec.nodeName);
  expect(nodes.sort()).toEqual(["lab-node", second, third]);
  await kubectl(["delete", "-n", namespace, "deployment/spread", "--wait=false"]);
});

test("a pod on one node reaches, by name, a Service whose pod is on another", async () => {
  const answer = await inPod("friend", `wget -qO- -T 5 http://web.${namespace}.svc.cluster.local/`);
  expect(answer).toEqual({ code: 0, stdout: "hello\n", stderr: "" });
  const missing = await inPod("friend", "nslookup no-such-service.svc.cluster.local.");
  expect([missing.code, missing.stdout.includes("NXDOMAIN")]).toEqual([1, true]);
});

describe("a volume", () => {
  test("of a node keeps its pod there, and waits with it", async () => {
    await apply(
      claim("local", "1Gi"),
      pod("keeper", { app: "keeper" }, "date > /data/file; exec sleep 1000000", "local", on(second)),
    );
    await ready("keeper");
    const before = (await inPod("keeper", "cat /data/file")).stdout;
    await drain(second, "app=keeper");
    try {
      await apply(pod("keeper", { app: "keeper" }, idle, "local"));
      expect(await unscheduled("keeper")).toMatch(/1 node\(s\) were unschedulable/);
      expect(await unscheduled("keeper")).toMatch(
        /2 node\(s\) didn't match PersistentVolume's node affinity/,
      );
    } finally {
      await uncordon(second);
    }
    await ready("keeper");
    expect((await look("keeper")).spec.nodeName).toBe(second);
    expect((await inPod("keeper", "cat /data/file")).stdout).toBe(before);
    expect(before).not.toBe("");
  });

  test("of the network follows its pod off a drained node, with its data", async () => {
    const labels = { app: "mover" };
    await apply(
      claim("moving", "1Gi", networkDisk),
      deployment("mover", labels, elsewhereThanFirst, 1, "moving"),
    );
    const [first] = await running("app=mover", 1);
    const write = "head -c 1000000 /dev/urandom > /data/file; sha256sum /data/file; stat -c '%u:%g' /data";
    const written = await inPod(first!.metadata.name, write);
    expect(written.stdout).toMatch(/^[0-9a-f]{64} {2}\/data\/file\n0:1000\n$/);
    const from = first!.spec.nodeName!;
    await drain(from, "app=mover");
    try {
      const [next] = await running("app=mover", 1, (one) => one.spec.nodeName !== from);
      const read = await inPod(next!.metadata.name, "sha256sum /data/file; stat -c '%u:%g' /data");
      expect(read.stdout).toBe(written.stdout);
      expect(next!.spec.nodeName).not.toBe(from);
    } finally {
      await uncordon(from);
      await kubectl(["delete", "-n", namespace, "deployment/mover", "pvc/moving", "--wait=false"]);
    }
  });

  test("of the network is on one node at a time: a pod elsewhere waits until it is let go", async () => {
    await apply(
      claim("single", "1Gi", networkDisk),
      pod("has-disk", {}, "echo mine > /data/file; exec sleep 1000000", "single", on(second)),
    );
    await ready("has-disk");
    await apply(pod("wants-disk", {}, idle, "single", on(third)));
    await eventually("the refusal", async () => {
      const events = await getObject<{ items: { message: string }[] }>([
        ...["-n", namespace, "events"],
        ...["--field-selector", "involvedObject.name=wants-disk,reason=FailedAttachVolume"],
      ]);
      return events.items.some(({ message }) => message.includes("Multi-Attach error for volume"));
    });
    expect((await look("wants-disk")).status.phase).toBe("Pending");
    await kubectl(["delete", "-n", namespace, "pod/has-disk"]);
    await ready("wants-disk");
    expect((await inPod("wants-disk", "cat /data/file")).stdout).toBe("mine\n");
  });

  test("for one pod alone keeps a second one pending, on any node", async () => {
    const alone = { ...networkDisk, accessModes: ["ReadWriteOncePod"] };
    await apply(claim("alone", "1Gi", alone), pod("alone-1", {}, idle, "alone", on(second)));
    await ready("alone-1");
    await apply(pod("alone-2", {}, idle, "alone"));
    expect(await unscheduled("alone-2")).toMatch(
      /3 node\(s\) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode already in-use/,
    );
    await kubectl(["delete", "-n", namespace, "pod/alone-1"]);
    await ready("alone-2");
  });
});

describe("a node", () => {
  test("that is frozen is given up; thawed, it goes on with the same processes", async () => {
    const before = await look("web");
    await freezeNode(lab, third);
    try {
      expect(await stateOf(third)).toBe("frozen");
      await expect(startNode(lab, third)).rejects.toThrow(
        'the node "lab-node-3" is frozen; only a stopped one can be started',
      );
      expect((await inPod("friend", `wget -qO- -T 2 http://web.${namespace}.svc.cluster.local/`)).code).toBe(
        1,
      );
      await givenUp(third);
    } finally {
      await thawNode(lab, third);
    }
    await readyAgain(third);
    await ready("web");
    const after = await look("web");
    expect([after.metadata.uid, after.status.containerStatuses]).toEqual([
      before.metadata.uid,
      [expect.objectContaining({ restartCount: 0 })],
    ]);
    expect((await inPod("friend", `wget -qO- -T 5 http://web.${namespace}.svc.cluster.local/`)).stdout).toBe(
      "hello\n",
    );
  });

  test("that is lost has its pods moved after their tolerations; it comes back and takes pods again", async () => {
    const waitLonger = ["unreachable", "not-ready"].map((condition) => ({
      key: `node.kubernetes.io/${condition}`,
      operator: "Exists",
      effect: "NoExecute",
      tolerationSeconds: 2,
    }));
    const labels = { app: "moved" };
    await apply(deployment("moved", labels, { tolerations: waitLonger, ...elsewhereThanFirst }, 1));
    const [first] = await running("app=moved", 1);
    const lost = first!.spec.nodeName!;
    await stopNode(lab, lost);
    try {
      expect(await stateOf(lost)).toBe("stopped");
      await expect(loadImage(lab, "/nonexistent.tar")).rejects.toThrow(
        `an image goes to every node, and ${lost} is stopped; start it first`,
      );
      await givenUp(lost);
      const [next] = await running("app=moved", 1, (one) => one.metadata.uid !== first!.metadata.uid);
      expect([second, third].filter((name) => name !== lost)).toEqual([next!.spec.nodeName]);
    } finally {
      await startNode(lab, lost);
    }
    await readyAgain(lost);
    await apply(pod("back", {}, serve, undefined, on(lost)));
    await ready("back");
    const { podIP } = (await look("back")).status;
    // Over the wires of the other two.
    expect((await run("curl", ["-sS", "-m", "5", `http://${podIP}:8080/`])).stdout).toBe("hello\n");
    await eventually("the old pod is gone", async () => {
      const { items } = await getObject<{ items: PodObject[] }>(["-n", namespace, "pods", "-l", "app=moved"]);
      return items.length === 1;
    });
  });

  test("cannot be stopped where it holds the control plane, or is none", async () => {
    await expect(stopNode(lab, "lab-node")).rejects.toThrow(
      'the node "lab-node" holds the control plane and lives as long as the lab; use lab-node-2, lab-node-3',
    );
    await expect(freezeNode(lab, "node-7")).rejects.toThrow(
      `the lab "${lab}" has no node "node-7"; it has lab-node, lab-node-2, lab-node-3`,
    );
  });
});

/** Two nodes remain, of which either can be lost. */
const elsewhereThanFirst = {
  affinity: {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: [
          { matchExpressions: [{ key: "kubernetes.io/hostname", operator: "NotIn", values: ["lab-node"] }] },
        ],
      },
    },
  },
};

function deployment(name: string, labels: object, spec: object, replicas: number, data?: string): object {
  const template = pod(name, labels, idle, data, spec) as { metadata: object; spec: object };
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name, namespace },
    spec: {
      replicas,
      strategy: { type: "Recreate" },
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: template.spec },
    },
  };
}

function apply(...objects: readonly object[]): Promise<string> {
  return kubectl(["apply", "-f", "-"], JSON.stringify({ apiVersion: "v1", kind: "List", items: objects }));
}

function inPod(name: string, script: string): Promise<Outcome> {
  return run("kubectl", ["exec", "-n", namespace, name, "--", "sh", "-c", script]);
}

function look(name: string): Promise<PodObject> {
  return getObject<PodObject>(["-n", namespace, `pod/${name}`]);
}

async function ready(...names: readonly string[]): Promise<void> {
  const pods = names.map((name) => `pod/${name}`);
  await kubectl(["wait", "-n", namespace, "--for=condition=Ready", ...pods, "--timeout=100s"]);
}

/** The ready pods of a selection, once there are as many that qualify. */
function running(selector: string, count: number, qualifies: (one: PodObject) => boolean = () => true) {
  return eventually(
    `${count} pods of ${selector}`,
    async () => {
      const found = (await livingPods(namespace, selector)).filter(qualifies);
      return found.length === count && found;
    },
    120,
  );
}

/** Why the scheduler does not place a pod. */
function unscheduled(name: string): Promise<string> {
  return eventually("the scheduler's reason", async () => {
    const { conditions } = (await look(name)).status;
    return conditions?.find(({ type, status }) => type === "PodScheduled" && status === "False")?.message;
  });
}

async function stateOf(name: string): Promise<string | undefined> {
  const now = await status(lab);
  return "nodes" in now ? now.nodes.find((node) => node.name === name)?.state : undefined;
}
