/**
 * The starter's repository on the real cluster, by the commands of its README; then a second team by a copied file,
 * and a stack for a pull request. What else CI runs of it: starter-ci beside this file.
 */
import { copyFile, mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { delimiter, join, resolve } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { imageRef } from "../../packages/lab/src/images/index.ts";
import { found, kubectl, Laptop, podNames, shell, typed } from "../../scripts/lib/lab/lab.ts";
import { pageBlock } from "../../scripts/lib/pages/page-blocks.ts";
import { pulumiRelease } from "../support/engine/pulumi-release.ts";

const folder = resolve(`.drawbridge/starter-${process.pid}`);
const project = join(folder, "devs");
let laptop: Laptop;
let options: { cwd: string; env: Record<string, string>; timeoutSeconds: number };

/** Runs lines in the project, as its owner types them. */
const type = (lines: string) => typed(lines, options);

beforeAll(async () => {
  laptop = await Laptop.create("starter");
  const [home, programs] = [join(folder, "home"), join(folder, "programs")];
  const ssh = join(home, ".ssh");
  for (const path of [ssh, programs]) await mkdir(path, { recursive: true, mode: 0o700 });
  const key = join(ssh, "id_ed25519");
  await copyFile(laptop.keyFile, key);
  // ssh takes its files from the account's home, whatever HOME says; what is typed into the session comes here.
  const own = `exec /usr/bin/ssh -F ${join(ssh, "config")} -i ${key} -o BatchMode=yes "$@" hostname`;
  await writeFile(join(programs, "ssh"), `#!/bin/sh\n${own}\n`, { mode: 0o755 });
  const pulumi = await pulumiRelease(join(folder, "pulumi"));
  const env = {
    ...pulumi,
    PATH: [programs, join(folder, "pulumi"), process.env.PATH].join(delimiter),
    HOME: home,
    DRAWBRIDGE_HOME: join(home, "state"),
    PULUMI_BACKEND_URL: `file://${folder}`,
    PULUMI_CONFIG_PASSPHRASE: "only for tests",
    // In the place of someone who says yes.
    PULUMI_SKIP_CONFIRMATIONS: "true",
  };
  options = { cwd: folder, env, timeoutSeconds: 900 };
  await type(`pulumi new ${resolve("starter")} --generate-only --yes --name devs --dir devs`);
  options = { ...options, cwd: project };
  // In the place of `npm install`.
  await symlink(resolve("node_modules"), join(project, "node_modules"));
  await edit("Pulumi.platform.yaml", /ssh-ed25519 [^\]]*/, laptop.publicKey);
  await edit("Pulumi.platform.yaml", /( +)domain:/, "$1replicas: 1\n$1drainSeconds: 5\n$1domain:");
  // Three containers beside each other, also on a small computer.
  const small = 'resources: { requests: { cpu: "100m" } }';
  await edit("Pulumi.team-a.yaml", /( +)image: .*/, `$1image: ${imageRef("devcontainer")}\n$1${small}`);
});

afterAll(async () => {
  // One that was never made keeps the others from nothing.
  for (const stack of ["pr-7", "team-b", "team-a", "platform"]) {
    await shell(`pulumi destroy --stack ${stack}`, options);
  }
  const namespaces = ["pr-7", "team-a", "team-b", "ssh-ingress"];
  await kubectl(["delete", "namespace", ...namespaces, "--ignore-not-found", "--wait=false"]);
  await Promise.all([laptop.remove(), rm(folder, { recursive: true, force: true })]);
});

async function edit(name: string, before: RegExp, after: string): Promise<void> {
  const text = await readFile(join(project, name), "utf8");
  expect(text).toMatch(before);
  await writeFile(join(project, name), text.replace(before, after));
}

/** The README's lines without npm's own. */
const firstTime = async () =>
  (await pageBlock("starter/README.md", "sh", "pulumi stack init platform")).replace(
    /^cp -r .*\nnpm install .*\n/,
    "",
  );

it("is up after the README's commands, which end in a container", async () => {
  const stdout = await type(await firstTime());
  expect(stdout.startsWith("Pulumi.platform.yaml: valid\nPulumi.team-a.yaml: valid\n")).toBe(true);
  expect(stdout.endsWith("dev1-0\n")).toBe(true);
  await type("pulumi preview --stack platform --expect-no-changes");
  await type("pulumi preview --stack team-a --expect-no-changes");
});

it("takes a second team by a copied file", async () => {
  await type(await pageBlock("starter/README.md", "sh", "sed "));
  await edit("Pulumi.platform.yaml", /^( +)team-a: .*$/m, "$&\n$1team-b: {}");
  await type("pulumi up --stack platform");
  const lines = await firstTime();
  const ofTeam = lines
    .slice(lines.indexOf("pulumi stack init team-a"))
    .replaceAll("team-a", "team-b")
    // The other team's has that name on this laptop.
    .replace("ssh-config", "ssh-config --prefix b-")
    .replace("ssh dev1", "ssh b-dev1");
  expect((await type(ofTeam)).endsWith("dev1-0\n")).toBe(true);
  expect(await podNames("team-b", "app.kubernetes.io/instance=dev1")).toEqual(["dev1-0"]);
  expect(await type("ssh dev1")).toBe("dev1-0\n");
});

it("has a stack of its own for a pull request, which CI takes away again", async () => {
  await type("sh ci/review.sh up 7 team-a");
  expect(await podNames("pr-7", "app.kubernetes.io/instance=dev1")).toEqual(["dev1-0"]);
  await type("sh ci/review.sh down 7 team-a");
  expect(await found("pr-7", "statefulsets", "app.kubernetes.io/instance=dev1")).toEqual([]);
  expect(await type("pulumi stack ls")).not.toContain("pr-7");
});
