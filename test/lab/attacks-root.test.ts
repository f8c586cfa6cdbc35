/**
 * Root inside a container tries to get out, or sideways: each attempt is refused or contained, and its twin works. How many
 * processes one may have is the kubelet's to say (`podPidsLimit`), and with whose address packets are sent the network
 * plugin's.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { imageRef } from "../../packages/lab/src/images/index.ts";
import { giveRootToAll } from "../support/cluster.ts";
import { ContainerStack } from "../support/containers.ts";
import { getObject, kubectl, type Outcome } from "../support/lab.ts";
import { startProbe, stopProbe } from "../support/probe-pod.ts";
import { type Attempt, attempts } from "../support/root-attempts.ts";

const team = "team-out";
const strangers = "strangers-out";
const placeholder = { node: "node", apiServer: "api", stranger: "stranger", friend: "friend" };
const names = attempts(placeholder).map(({ name }) => name);

let stack: ContainerStack;
let all: ReadonlyMap<string, Attempt>;

async function addressOf(path: readonly string[]): Promise<string> {
  const { status } = await getObject<{ status: { podIP: string } }>([...path]);
  return status.podIP;
}

beforeAll(async () => {
  giveRootToAll();
  await startProbe(strangers);
  stack = await ContainerStack.create(team, "gw-out");
  const friend = {
    image: imageRef("busybox"),
    ssh: { mode: "none" },
    authorizedKeys: [],
    command: ["httpd", "-f", "-p", "8080", "-h", "/etc"],
    ingress: [{ namespace: team, ports: [8080] }],
  } as const;
  const egress = { allow: [{ cidr: "10.244.0.0/16" }] };
  await stack.up({ box: {}, friend: { ...friend, ingress: [...friend.ingress] } as never });
  const friendly = await addressOf(["-n", team, "pod", "friend-0"]);
  // Only this one pod, so that what else it reaches is a way past the wall.
  egress.allow = [{ cidr: `${friendly}/32` }];
  await stack.up({ ...stack.containers, box: { egress } });
  await stack.ready("box");
  const nodes = await getObject<{ items: { status: { addresses: { type: string; address: string }[] } }[] }>([
    "nodes",
  ]);
  const node = nodes.items[0]?.status.addresses.find(({ type }) => type === "InternalIP")?.address ?? "";
  const { spec } = await getObject<{ spec: { clusterIP: string } }>([
    "-n",
    "default",
    "service",
    "kubernetes",
  ]);
  const doors = {
    node,
    apiServer: spec.clusterIP,
    stranger: await addressOf(["-n", strangers, "pod", "probe"]),
    friend: friendly,
  };
  all = new Map(attempts(doors).map((one) => [one.name, one]));
});
afterAll(async () => {
  await stack?.close();
  await stopProbe(strangers);
});

const asRoot = (script: string): Promise<Outcome> =>
  stack.laptop.ssh(["box", "sudo sh"], { input: script, timeoutSeconds: 60 });

describe("root, with every capability that the container has,", () => {
  it("is at least thirty attempts", () => {
    expect(names.length).toBeGreaterThanOrEqual(30);
    expect(new Set(names).size).toBe(names.length);
  });

  it.each(names)("gets nothing by: %s", async (name) => {
    const { attempt, refused, twin } = all.get(name) as Attempt;
    expect(await asRoot(twin)).toMatchObject({ code: 0 });
    const outcome = await asRoot(attempt);
    expect(outcome.code).not.toBe(0);
    expect(outcome.stderr).toMatch(refused);
  });

  it("leaves a program on a volume that runs as its owner nowhere else", async () => {
    const made = "cp /usr/bin/id /home/jovyan/as-root && chmod 4755 /home/jovyan/as-root";
    expect(await asRoot(made)).toMatchObject({ code: 0 });
    // Its twin: inside, where root is root, it does.
    expect(await stack.output("box", "./as-root -u")).toBe("0\n");
    await stack.up({
      ...stack.containers,
      plain: { root: false, mounts: [{ claimName: "box-home", mountPath: "/theirs" }] },
    });
    expect(await stack.output("plain", "stat -c %a /theirs/as-root; /theirs/as-root -u")).toBe(
      "4755\n1000\n",
    );
  });

  it("ends nobody's container: it is the same pod as at first", async () => {
    const { status } = await getObject<{ status: { containerStatuses: { restartCount: number }[] } }>([
      ...["-n", team, "pod", "box-0"],
    ]);
    expect(status.containerStatuses.map(({ restartCount }) => restartCount)).toEqual([0]);
    await kubectl(["-n", strangers, "get", "pod", "probe"]);
  });
});
