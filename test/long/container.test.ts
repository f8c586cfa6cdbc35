/** Large files and many files: through the gateway and over everything that happens to a container. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { teamNamespace } from "../../packages/drawbridge/src/team/namespace.ts";
import { imageRef } from "../../packages/lab/src/images/index.ts";
import { apply, eventually, kubectl, run } from "../../scripts/lib/lab/lab.ts";
import { ContainerStack, type Containers } from "../support/stacks/containers.ts";

const team = "team-long";
const injected = { mode: "injected", image: imageRef("sshd-bundle") } as const;
const first = {
  image: imageRef("dufs"),
  ssh: injected,
  persist: { paths: ["/etc/apt", "/srv/data"] },
  eviction: "allowed",
} satisfies Containers[string];

/** On the claims that it left behind. */
const adopting = {
  ...first,
  home: { claimName: "box-home" },
  persist: { ...first.persist, claimName: "box-persist" },
} satisfies Containers[string];

let stack: ContainerStack;
beforeAll(async () => {
  // As the platform makes it: what a team's destroyed stack leaves behind stays in it.
  await apply(teamNamespace(team));
  stack = await ContainerStack.create(team, "gw-long", { namespaceExists: true });
  await stack.up({ box: first });
});
afterAll(() => stack.close());

describe("10,000 files in home and in a persisted path", () => {
  const count =
    "find ~/many /srv/data/many -type f | wc -l; cat ~/many/10000 /srv/data/many/10000; cat /etc/apt/mine";
  const expected = "20000\n10000\n10000\nkept\n";
  let knownHosts: string;

  beforeAll(async () => {
    const fill = "mkdir $d && cd $d && for i in $(seq 10000); do echo $i >$i; done";
    await stack.output(
      "box",
      `set -e; for d in ~/many /srv/data/many; do ${fill}; done; echo kept >/etc/apt/mine`,
    );
    knownHosts = await readFile(join(stack.laptop.folder, "known_hosts"), "utf8");
  });

  it.each<[string, () => Promise<unknown>]>([
    ["the pod's deletion", () => stack.restart("box")],
    ["another image", () => stack.up({ box: { ...first, image: imageRef("busybox") } })],
    ["the first image again", () => stack.up({ box: first })],
    [
      "changed arguments",
      () =>
        stack.up({
          box: {
            ...first,
            env: { A: "1" },
            resources: { requests: { cpu: "30m" }, memory: "256Mi", sharedMemory: "32Mi" },
            startupScript: "#!/bin/sh\n",
            ports: [{ name: "http", port: 8080 }],
            egress: { internet: false },
            stopWarningSeconds: 0,
            home: { size: "2Gi" },
          },
        }),
    ],
    [
      "an eviction",
      async () => {
        const body = {
          apiVersion: "policy/v1",
          kind: "Eviction",
          metadata: { name: "box-0", namespace: team },
        };
        const path = `/api/v1/namespaces/${team}/pods/box-0/eviction`;
        await eventually(
          "the eviction",
          async () =>
            (await run("kubectl", ["create", "--raw", path, "-f", "-"], { input: JSON.stringify(body) }))
              .code === 0,
          60,
        );
        await eventually(
          "the end of the pod",
          async () =>
            (await kubectl([
              "-n",
              team,
              "get",
              "pod",
              "box-0",
              "-o",
              "jsonpath={.metadata.deletionTimestamp}",
            ]).catch(() => "gone")) === "",
          90,
        );
        await stack.ready("box");
      },
    ],
    [
      "removal and adoption",
      async () => {
        await stack.up({});
        await stack.up({ box: adopting });
      },
    ],
    [
      "the whole stack's destruction and adoption",
      async () => {
        await stack.destroy();
        const left = await kubectl(["-n", team, "get", "statefulset,service,secret,pvc", "-o", "name"]);
        expect(left.trim().split("\n")).toEqual([
          "persistentvolumeclaim/box-home",
          "persistentvolumeclaim/box-persist",
        ]);
        await stack.up({ box: adopting });
      },
    ],
  ])("survive %s, and the same known_hosts holds", async (_, event) => {
    await event();
    expect(await stack.output("box", count)).toBe(expected);
    expect(await readFile(join(stack.laptop.folder, "known_hosts"), "utf8")).toBe(knownHosts);
  });
});

describe("5 GiB", () => {
  it("go and come back by scp with the same checksum", async () => {
    const file = join(stack.laptop.folder, "large");
    await run("sh", ["-c", `head -c 5G /dev/urandom >"${file}"`], { timeoutSeconds: 600 });
    const sum = (await run("sha256sum", [file], { timeoutSeconds: 600 })).stdout.split(" ")[0];
    const start = Date.now();
    expect(await stack.laptop.scp([file, "box:large"], 1800)).toMatchObject({ code: 0 });
    const there = Date.now();
    const remote = await stack.laptop.ssh(["box", "sha256sum large | cut -d ' ' -f 1"], {
      timeoutSeconds: 600,
    });
    expect(remote.stdout.trim()).toBe(sum);
    await run("rm", [file]);
    const back = Date.now();
    expect(await stack.laptop.scp(["box:large", file], 1800)).toMatchObject({ code: 0 });
    const end = Date.now();
    expect((await run("sha256sum", [file], { timeoutSeconds: 600 })).stdout.split(" ")[0]).toBe(sum);
    const rate = (from: number, to: number) => `${((5 * 1024 * 1000) / (to - from)).toFixed(0)} MiB/s`;
    console.log(`5 GiB by scp: there ${rate(start, there)}, back ${rate(back, end)}`);
    await stack.output("box", "rm large");
    await run("rm", [file]);
  }, 1_800_000);
});
