/**
 * The recipe of docs/home-copies.md, brought up with a deployer's rights alone: copies by its CronJob,
 * the home lost with its disk, and restored.
 */

import { mkdir, rm } from "node:fs/promises";
import { resolve } from "node:path";
import { ensureImages, imageRef, lineProgress, loadImage } from "@drawbridge-iac/lab";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testStack } from "../../scripts/lib/engine/engine.ts";
import { apply, eventually, getObject, kubectl, run, shell } from "../../scripts/lib/lab/lab.ts";
import { pageBlock } from "../../scripts/lib/pages/page-blocks.ts";
import {
  accountKubeconfig,
  deploy,
  deployment,
  handToNeighbour,
  neighbour,
  withKubeconfig,
} from "../../scripts/lib/stacks/deployer.ts";
import { acceptanceFile, entriesOf, guard, previewJson } from "../support/engine/guard.ts";
import { podNetwork } from "../support/lab/cluster.ts";
import { lab, on } from "../support/lab/nodes.ts";
import { restricted } from "../support/lab/restricted.ts";
import { ContainerStack } from "../support/stacks/containers.ts";

const page = "docs/home-copies.md";
const team = "team-copies";
const vault = "vault";
const folder = resolve(`.drawbridge/home-copies-${process.pid}`);
const disk = { size: "1Gi", storageClassName: "network-disk" };
const marker = "words-that-only-the-home-has";
/** The Secrets, and the port of the server that each leads to: by one of them copies are added and none removed. */
const ports = { whole: 8000, "append-only": 8001, "wrong-password": 8001 };

/** What the team's program of copies has; nothing by default. */
interface Copies {
  /** The claim that is copied. */
  readonly of?: string;
  readonly to?: keyof typeof ports;
  readonly keep?: string;
  /** The name of a second call for the same container. */
  readonly also?: string;
  /** The new claim that is filled. */
  readonly restored?: string;
}

let recipe: Record<"homeCopies" | "restoredHome", (args: object) => unknown>;
let stack: ContainerStack;
let copies: Awaited<ReturnType<typeof testStack>>;
let kubeconfig: string;
let vaultAddress: string;

beforeAll(async () => {
  const { restic } = await ensureImages(["restic"], lineProgress());
  await loadImage(lab, restic.tar);
  await mkdir(folder, { recursive: true });
  recipe = await import(resolve("docs/home-copies.ts"));
  vaultAddress = await startVault();
  const account = { name: "deployer", namespace: vault };
  kubeconfig = await accountKubeconfig(account, folder);
  // The repository has a private address here, which only the platform can allow.
  await handToNeighbour(team, { egressAllow: [podNetwork], serviceAccounts: [account] });
  await deploy(Object.keys(ports).map((name) => secret(name as keyof typeof ports)));
  stack = await ContainerStack.create(team, "gw-copies", { namespaceExists: true });
  await upContainer({ home: disk });
  copies = await testStack(async () => {});
});

afterAll(async () => {
  await copies.stack.destroy();
  await copies.removeState();
  await stack.close();
  await kubectl(["delete", "namespace", vault, "--ignore-not-found", "--wait=false"]);
  await rm(folder, { recursive: true, force: true });
});

/** A server of restic's protocol, outside of the team. */
async function startVault(): Promise<string> {
  await kubectl(["create", "namespace", vault]);
  const env = { RCLONE_USER: "copies", RCLONE_PASS: "only-for-tests", HOME: "/tmp" };
  const serve = (name: string, port: number, ...more: string[]) => ({
    name,
    image: imageRef("restic"),
    command: ["rclone", "serve", "restic", "--addr", `:${port}`, ...more, "/data"],
    env: Object.entries(env).map(([name, value]) => ({ name, value })),
    securityContext: restricted,
    volumeMounts: [{ name: "data", mountPath: "/data" }],
  });
  const containers = [
    serve("whole", ports.whole),
    serve("append-only", ports["append-only"], "--append-only"),
  ];
  const server = deployment(vault, vault, { containers, volumes: [{ name: "data", emptyDir: {} }] });
  await apply(server);
  await kubectl(["-n", vault, "rollout", "status", "deployment/vault", "--timeout=60s"]);
  return kubectl(["-n", vault, "get", "pods", "-l", "run=vault", "-o", "jsonpath={.items[0].status.podIP}"]);
}

function secret(name: keyof typeof ports): object {
  const password = name === "wrong-password" ? "another" : "only for tests";
  const repository = `rest:http://copies:only-for-tests@${vaultAddress}:${ports[name]}/dev1/`;
  const metadata = { name, namespace: team };
  return { apiVersion: "v1", kind: "Secret", metadata, stringData: { repository, password } };
}

function program({ of, to = "append-only", keep, also, restored }: Copies): void {
  const repository = { port: ports[to], cidrs: [`${vaultAddress}/32`] };
  const common = { container: "dev1", namespace: team, image: imageRef("restic"), secret: to, repository };
  const names = [undefined, ...(also === undefined ? [] : [also])];
  for (const name of of === undefined ? [] : names) {
    recipe.homeCopies({ ...common, name, claim: of, schedule: "30 2 * * *", keep });
  }
  if (restored !== undefined) recipe.restoredHome({ ...common, claim: restored, ...disk });
}

/** Brings the program of copies up with the deployer's role and nothing else. */
async function upCopies(wanted: Copies): Promise<void> {
  copies.setProgram(async () => program(wanted));
  await withKubeconfig(kubeconfig, () => copies.stack.up());
}

const upContainer = (args: { readonly home: object; readonly running?: boolean }) =>
  stack.up({ dev1: { scheduling: on("lab-node-2"), wait: true, ...args } });

const said = (command: string) => stack.output("dev1", command);

/** The end of a Job: whether it did its work, what it printed, and where. */
async function ended(name: string): Promise<{ done: boolean; node: string; log: string }> {
  const conditions = await eventually(
    `the end of ${name}`,
    async () => {
      const { status } = await getObject<{ status: { conditions?: { type: string }[] } }>([
        ...["-n", team, "job", name],
      ]);
      return (
        status.conditions?.some(({ type }) => ["Complete", "Failed"].includes(type)) && status.conditions
      );
    },
    300,
  );
  const pods = ["-n", team, "-l", `job-name=${name}`];
  const node = await kubectl(["get", "pods", ...pods, "-o", "jsonpath={.items[0].spec.nodeName}"]);
  const log = await kubectl(["logs", ...pods, "--tail=-1"]);
  return { done: conditions.some(({ type }) => type === "Complete"), node, log };
}

/** Runs a CronJob once, as the page says. */
async function copy(name: string, of = "dev1-copies") {
  await kubectl([...neighbour, "-n", team, "create", "job", name, `--from=cronjob/${of}`]);
  return ended(name);
}

/** The copying pod's Job with another script or Secret, by someone who deploys there. */
async function instead(name: string, script: string | undefined, secret: keyof typeof ports = "append-only") {
  const create = [
    "-n",
    team,
    "create",
    "job",
    name,
    "--from=cronjob/dev1-copies",
    "--dry-run=client",
    "-o",
    "json",
  ];
  const job = JSON.parse(await kubectl(create));
  const { containers, volumes } = job.spec.template.spec;
  if (script !== undefined) containers[0].command = ["sh", "-uc", script];
  for (const volume of volumes) if (volume.secret) volume.secret.secretName = secret;
  await deploy([job]);
  return ended(name);
}

const inVault = (command: string) =>
  kubectl(["-n", vault, "exec", "deployment/vault", "-c", "whole", "--", "sh", "-uc", command]);

/** Files as people have them: for nobody else, to be run, linked twice, empty, old, large, many, with odd names. */
const fill = `set -e; cd ~; umask 022
mkdir -p .ssh project empty many; echo '${marker}' > .ssh/id_ed25519; chmod 600 .ssh/id_ed25519; chmod 700 .ssh
echo text > '${marker} in a name'; printf '#!/bin/sh\\n' > project/run; chmod 755 project/run
ln -s ../.ssh/id_ed25519 project/link; ln -s /nowhere project/broken; ln project/run project/same
: > project/nothing; chmod 400 project/nothing; echo x > "$(printf 'a\\nline')"; chmod 2750 empty
touch -d '2001-02-03 04:05:06.789' project/run; head -c 300M /dev/urandom > large
for i in $(seq 2000); do echo $i > many/$i; done`;

/** Type, mode, links, owner, size, time and target of everything in the home, and the hash of each file. */
const everything = `cd ~ && find . -mindepth 1 -printf '%y %#m %n %U %G %s %TY-%Tm-%Td %TT %p -> %l\\n' | sort &&
find . -type f -print0 | sort -z | xargs -0 sha256sum`;

let before: string;
let knownHosts: string;

test("the guard asks about the NetworkPolicy and the CronJob, and a deployer's rights are enough", async () => {
  await said(fill);
  before = await said(everything);
  expect(before.split("\n").length).toBeGreaterThan(4000);
  knownHosts = stack.outputs.dev1?.knownHosts ?? "";
  copies.setProgram(async () => program({ of: "dev1-home" }));
  const preview = await withKubeconfig(kubeconfig, () => previewJson(copies.stack));
  const { code, report } = await guard(preview);
  expect(code).toBe(1);
  const object = (kind: string) => `${kind} ${team}/dev1-copies`;
  expect(entriesOf(report)).toMatchObject([
    {
      rule: "network-wall",
      object: object("NetworkPolicy"),
      what: expect.stringMatching(
        /^no component made this NetworkPolicy, and what it opens is not judged \([0-9a-f]{40}\)$/,
      ),
    },
    {
      rule: "pod-privileges",
      object: object("CronJob"),
      what: `no component made it, and its namespace ${team} is none of this stack's`,
    },
  ]);
  const accepted = await acceptanceFile(report, ["network-wall", "pod-privileges"], folder);
  expect(await guard(preview, "--accept-file", accepted)).toMatchObject({ code: 0 });
  await upCopies({ of: "dev1-home" });
});

test("the home is copied where it is mounted: all of it first, then what has changed", async () => {
  const commands = (await pageBlock(page, "sh", "--from=cronjob")).replaceAll("team-a", team);
  const shown = await shell(commands, { timeoutSeconds: 300 });
  expect(shown).toMatchObject({ code: 0, stderr: "" });
  const first = await ended("dev1-now");
  expect([first.done, first.node]).toEqual([true, "lab-node-2"]);
  expect(shown.stdout).toMatch(/Added to the repository: 3\d\d\.\d+ MiB/);
  await said("echo more > ~/later");
  const second = await copy("second");
  expect([second.done, second.node]).toEqual([true, "lab-node-2"]);
  expect(second.log).toMatch(/Files: +1 new, +0 changed, +20\d\d unmodified/);
  await said("rm ~/later");
  expect((await copy("third")).done).toBe(true);
});

test("the repository has no word of the home, in names neither", async () => {
  expect(await said(`grep -rl '${marker}' ~ | wc -l; find ~ -name '*${marker}*' | wc -l`)).toBe("1\n1\n");
  expect(Number(await inVault("du -sm /data | cut -f 1"))).toBeGreaterThan(300);
  expect(await inVault(`grep -rlF '${marker}' /data | wc -l; find /data -name '*${marker}*' | wc -l`)).toBe(
    "0\n0\n",
  );
});

test("another password opens nothing, and a copy that was made stays", async () => {
  const wrong = await instead("wrong", undefined, "wrong-password");
  expect([wrong.done, wrong.log]).toEqual([false, expect.stringContaining("wrong password or no key found")]);
  const removed = await instead("removed", "restic forget --host dev1 --keep-last 1 --prune");
  expect(removed.done).toBe(false);
  expect((await instead("list", "restic snapshots --json | grep -o short_id | wc -l")).log).toBe("3\n");
});

test("the copying pod reaches its repository and nothing else; who is in the container does not reach it", async () => {
  const { clusterIP } = (await getObject<{ spec: { clusterIP: string } }>(["service", "kubernetes"])).spec;
  const knock = (host: string, port: number) =>
    `timeout 3 bash -c 'exec 3<>/dev/tcp/${host}/${port}' 2>/dev/null && echo open || echo closed`;
  const home = (await stack.pod<{ status: { podIP: string } }>("dev1")).status.podIP;
  const script = [
    knock(vaultAddress, ports["append-only"]),
    knock(vaultAddress, ports.whole),
    knock(clusterIP, 443),
    knock(home, 22),
    "ls /var/run/secrets 2>&1; id -u; touch /home/x 2>&1; true",
  ].join("\n");
  const { log } = await instead("knock", script);
  expect(log.split("\n")).toEqual([
    "open",
    "closed",
    "closed",
    "closed",
    expect.stringContaining("No such file"),
    "1000",
    expect.stringContaining("Read-only file system"),
    "",
  ]);
  expect(await said(knock(vaultAddress, ports["append-only"]))).toBe("closed\n");
});

test("a container that is off is copied too", async () => {
  await upContainer({ home: disk, running: false });
  await kubectl(["-n", team, "wait", "--for=delete", "pod/dev1-0", "--timeout=120s"]);
  expect((await copy("asleep")).done).toBe(true);
});

test("a home that is lost with its disk is restored: every file, mode, link and time, and the same host key", async () => {
  const volume = ["-n", team, "get", "pvc", "dev1-home", "-o", "jsonpath={.spec.volumeName}"];
  const lost = await kubectl(volume);
  // A claim stays as long as a pod of it is there, of a finished Job too.
  await kubectl(["-n", team, "delete", "jobs", "--all"]);
  await kubectl(["-n", team, "delete", "pvc", "dev1-home"]);
  await kubectl(["delete", "pv", lost, "--ignore-not-found"]);
  await upCopies({ of: "dev1-home", restored: "dev1-home-2" });
  expect(await ended("dev1-restore")).toMatchObject({ done: true, log: expect.stringContaining("Restored") });
  await upContainer({ home: { claimName: "dev1-home-2" } });
  expect(await said(everything)).toBe(before);
  expect(stack.outputs.dev1?.knownHosts).toBe(knownHosts);
});

test("a second restore touches no file of a home that is in use", async () => {
  await said("echo newer > ~/project/run");
  await kubectl(["-n", team, "delete", "job", "dev1-restore"]);
  const again = withKubeconfig(kubeconfig, async () => {
    await copies.stack.refresh();
    await copies.stack.up();
  });
  await expect(again).rejects.toThrow();
  expect((await ended("dev1-restore")).log).toBe("the claim is not empty: nothing was restored\n");
  expect(await said("cat ~/project/run")).toBe("newer\n");
});

test("the restore leaves the program, its claim stays; old copies go where the repository lets them", async () => {
  await upCopies({ of: "dev1-home-2", to: "whole", keep: "--keep-last 1" });
  const jobs = await run("kubectl", ["-n", team, "get", "job", "dev1-restore"]);
  expect(jobs.stderr).toContain("NotFound");
  expect(await said("cat ~/project/run")).toBe("newer\n");
  expect((await copy("kept")).done).toBe(true);
  expect((await instead("left", "restic snapshots --json | grep -o short_id | wc -l", "whole")).log).toBe(
    "1\n",
  );
});

test("a second claim of the container has copies under a name of its own, made on the container's node", async () => {
  await upCopies({ of: "dev1-home-2", to: "whole", also: "dev1-persist" });
  const { done, node } = await copy("persisted", "dev1-persist-copies");
  expect([done, node]).toEqual([true, "lab-node-2"]);
  const hosts = await instead(
    "hosts",
    'restic snapshots --json | grep -o \'"hostname":"[^"]*\' | sort',
    "whole",
  );
  expect(hosts.log).toBe('"hostname":"dev1\n"hostname":"dev1-persist\n');
});
