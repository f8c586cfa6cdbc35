/** The starter's repository on the real cluster, by the commands of its README; then a second team by a copied file. */
import { copyFile, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { delimiter, join, resolve } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { imageRef } from "../../packages/lab/src/images/index.ts";
import { type InstalledCli, installCli } from "../support/clients/cli.ts";
import { pulumiRelease } from "../support/engine/pulumi-release.ts";
import { expectSuccess, kubectl, Laptop, run } from "../support/lab/lab.ts";
import { pageBlock } from "../support/pages/page-blocks.ts";

// Inside the repository, where the packages are found.
const folder = resolve(`.drawbridge/starter-${process.pid}`);
const project = join(folder, "devs");
let cli: InstalledCli;
let laptop: Laptop;
let env: Record<string, string>;

const shell = (lines: string, cwd = project) =>
  expectSuccess(run("bash", ["--norc", "-euo", "pipefail", "-c", lines], { cwd, env, timeoutSeconds: 600 }));

beforeAll(async () => {
  cli = await installCli();
  laptop = await Laptop.create("starter");
  const [programs, ssh] = [join(folder, "programs"), join(cli.home, ".ssh")];
  for (const path of [programs, ssh]) await mkdir(path, { recursive: true, mode: 0o700 });
  await copyFile(laptop.keyFile, join(ssh, "id_ed25519"));
  // ssh takes its files from the account's home, whatever HOME says.
  const own = `exec /usr/bin/ssh -F ${join(ssh, "config")} -i ${join(ssh, "id_ed25519")} -o BatchMode=yes "$@"`;
  await writeFile(join(programs, "ssh"), `#!/bin/sh\n${own} hostname\n`, { mode: 0o755 });
  env = {
    ...cli.env,
    ...(await pulumiRelease(join(folder, "pulumi"))),
    PATH: [programs, join(folder, "pulumi"), cli.env.PATH].join(delimiter),
    NODE_OPTIONS: process.env.NODE_OPTIONS ?? "",
    PULUMI_BACKEND_URL: `file://${folder}`,
    PULUMI_CONFIG_PASSPHRASE: "only for tests",
    // In the place of somebody who says yes.
    PULUMI_SKIP_CONFIRMATIONS: "true",
  };
  await shell(`pulumi new ${resolve("starter")} --generate-only --yes --name devs --dir devs`, folder);
  const edit = async (name: string, before: RegExp, after: string) => {
    const text = await readFile(join(project, name), "utf8");
    expect(text).toMatch(before);
    await writeFile(join(project, name), text.replace(before, after));
  };
  await edit("Pulumi.platform.yaml", /ssh-ed25519 [^\]]*/, laptop.publicKey);
  await edit("Pulumi.platform.yaml", /( +)domain:/, "$1replicas: 1\n$1drainSeconds: 5\n$1domain:");
  await edit("Pulumi.team-a.yaml", /image: .*/, `image: ${imageRef("devcontainer")}`);
});

afterAll(async () => {
  for (const stack of ["team-b", "team-a", "platform"]) await shell(`pulumi destroy --stack ${stack}`);
  const namespaces = ["team-a", "team-b", "ssh-ingress"];
  await kubectl(["delete", "namespace", ...namespaces, "--ignore-not-found", "--wait=false"]);
  await Promise.all([laptop.remove(), cli.remove(), rm(folder, { recursive: true, force: true })]);
});

/** The README's lines without npm's own, which fetch what lies in the repository here. */
const firstTime = async () =>
  (await pageBlock("starter/README.md", "sh", "pulumi stack init platform"))
    .replace(/^npm install\n/, "")
    .replaceAll("npx --no ", "");

it("is up after the README's commands, which end in a container", async () => {
  const { stdout } = await shell(await firstTime());
  expect(stdout.endsWith("dev1-0\n")).toBe(true);
  await shell("pulumi preview --stack platform --expect-no-changes");
  await shell("pulumi preview --stack team-a --expect-no-changes");
});

it("takes a second team by a copied file", async () => {
  await shell(await pageBlock("starter/README.md", "sh", "sed "));
  const platform = join(project, "Pulumi.platform.yaml");
  const text = await readFile(platform, "utf8");
  await writeFile(platform, text.replace(/^( +)team-a: (.*)$/m, "$&\n$1team-b: {}"));
  await shell("pulumi up --stack platform");
  const lines = (await firstTime()).split("\n");
  const ofTeam = lines
    .slice(lines.indexOf("pulumi stack init team-a"))
    .join("\n")
    .replaceAll("team-a", "team-b");
  const { stdout } = await shell(
    `${ofTeam.replace("ssh-config", "ssh-config --prefix b-").replace("dev1", "b-dev1")}`,
  );
  expect(stdout.endsWith("dev1-0\n")).toBe(true);
  expect((await shell("ssh dev1")).stdout).toBe("dev1-0\n");
});
