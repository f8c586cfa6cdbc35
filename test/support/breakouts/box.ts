/** A container from which root tries to get out, and what it tries to reach: the node, the API server and two pods. */

import { expect, it } from "vitest";
import { imageRef } from "../../../packages/lab/src/images/index.ts";
import { eventually, getObject, kubectl, type Outcome } from "../../../scripts/lib/lab/lab.ts";
import { startProbe, stopProbe } from "../lab/probe-pod.ts";
import { ContainerStack } from "../stacks/containers.ts";
import type { ContainerArgs } from "../stacks/laptop-stack.ts";
import type { Attempt, Doors } from "./root-attempts.ts";

export interface AttackBox {
  readonly stack: ContainerStack;
  readonly doors: Doors;
  asRoot(script: string, timeoutSeconds?: number): Promise<Outcome>;
  close(): Promise<void>;
}

async function addressOf(path: readonly string[]): Promise<string> {
  const { status } = await getObject<{ status: { podIP: string } }>([...path]);
  return status.podIP;
}

/**
 * @param word part of the namespaces' names, different for each test file
 * @param readySeconds time allowed for its start
 */
export async function attackBox(
  word: string,
  box: ContainerArgs = {},
  readySeconds = 120,
): Promise<AttackBox> {
  const team = `team-${word}`;
  const strangers = `strangers-${word}`;
  await startProbe(strangers);
  const stack = await ContainerStack.create(team, `gw-${word}`);
  const friend = {
    image: imageRef("busybox"),
    ssh: { mode: "none" },
    authorizedKeys: [],
    command: ["httpd", "-f", "-p", "8080", "-h", "/etc"],
    ingress: [{ namespace: team, ports: [8080] }],
  } satisfies ContainerArgs;
  await stack.up({ box, friend });
  const friendly = await addressOf(["-n", team, "pod", "friend-0"]);
  // Only this one pod is allowed: whatever else the box reaches is a hole in its isolation.
  await stack.up({ ...stack.containers, box: { ...box, egress: { allow: [{ cidr: `${friendly}/32` }] } } });
  await stack.ready("box", readySeconds);
  const nodes = await getObject<{ items: { status: { addresses: { type: string; address: string }[] } }[] }>([
    "nodes",
  ]);
  const node = nodes.items[0]?.status.addresses.find(({ type }) => type === "InternalIP")?.address ?? "";
  const { spec } = await getObject<{ spec: { clusterIP: string } }>([
    ...["-n", "default", "service", "kubernetes"],
  ]);
  // A log-in for each attempt would take most of the time.
  const socket = `-oControlPath=${stack.laptop.folder}/box`;
  const oneConnection = ["-oControlMaster=auto", "-oControlPersist=60", socket];
  return {
    stack,
    doors: {
      node,
      apiServer: spec.clusterIP,
      stranger: await addressOf(["-n", strangers, "pod", "probe"]),
      friend: friendly,
    },
    asRoot: (input, timeoutSeconds = 60) =>
      stack.laptop.ssh([...oneConnection, "box", "sudo sh"], { input, timeoutSeconds }),
    close: async () => {
      await stack.close();
      await stopProbe(strangers);
    },
  };
}

/** Gives the engine in a box an image to start containers of, by its archive on this computer. */
export async function loadBase(
  { stack, asRoot }: AttackBox,
  archive: string,
  seconds = { copy: 300, engine: 60, load: 60 },
): Promise<void> {
  const copied = await stack.laptop.scp(["-q", archive, "box:base.tar"], seconds.copy);
  expect(copied).toMatchObject({ code: 0 });
  await eventually("the engine", async () => (await asRoot("podman version")).code === 0, seconds.engine);
  const load = `podman load -qi /home/jovyan/base.tar && podman tag ${imageRef("busybox")} localhost/base`;
  expect(await asRoot(load, seconds.load)).toMatchObject({ code: 0 });
}

/** Each attempt fails as it says, beside its twin, and ends nobody's container. */
export function triesAll(word: string, all: (doors: Doors) => Attempt[], box: () => AttackBox): void {
  // They are the same whatever the addresses.
  const doors = { node: "node", apiServer: "api", stranger: "stranger", friend: "friend" };
  const names = all(doors).map(({ name }) => name);

  it("is at least thirty attempts", () => {
    expect(names.length).toBeGreaterThanOrEqual(30);
    expect(new Set(names).size).toBe(names.length);
  });

  it.each(names)("gets nothing by: %s", async (name) => {
    const { attempt, refused, twin } = all(box().doors).find((one) => one.name === name) as Attempt;
    expect(await box().asRoot(twin)).toMatchObject({ code: 0 });
    const outcome = await box().asRoot(attempt);
    expect(outcome.code).not.toBe(0);
    expect(`${outcome.stderr}${outcome.stdout}`).toMatch(refused);
  });

  it("ends nobody's container: it is the same pod as at first", async () => {
    const { status } = await box().stack.pod<Pod>("box");
    expect(status.containerStatuses.map(({ restartCount }) => restartCount)).toEqual([0]);
    await kubectl(["-n", `strangers-${word}`, "get", "pod", "probe"]);
  });
}

interface Pod {
  readonly status: { readonly containerStatuses: readonly { readonly restartCount: number }[] };
}
