/** The program that decides where in its claim a home is, run on folders as claims are. */
import { execFileSync } from "node:child_process";
import { lstat, mkdir, mkdtemp, readdir, readlink, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { templateOf } from "./plan.fixture.ts";

const link = ".drawbridge-home";
let claim: string;

beforeEach(async () => {
  claim = await mkdtemp(join(tmpdir(), "claim-"));
  await mkdir(join(claim, "lost+found"));
});
afterEach(() => rm(claim, { recursive: true }));

/** Starts a pod: its init container, with the claim. */
function start(): void {
  const { command = [] } = templateOf().spec.initContainers.find(({ name }) => name === "home-folder") ?? {};
  const script = (command.at(-1) ?? "").replace("cd /drawbridge-home\n", `cd ${claim}\n`);
  const owner = `${process.getuid?.()}:${process.getgid?.()}`;
  execFileSync("sh", ["-c", script], { env: { ...process.env, OWNER: owner, GROUP: "1" }, stdio: "pipe" });
}

const holds = async (folder = ".") => (await readdir(join(claim, folder))).sort();
const leads = () => readlink(join(claim, link));

it("makes a folder of its own in a new claim, whose group it does not hand on, and keeps it", async () => {
  execFileSync("chmod", ["2775", claim]);
  start();
  expect([await leads(), await holds()]).toEqual(["home", [link, "home", "lost+found"]]);
  expect(((await lstat(join(claim, "home"))).mode & 0o7777).toString(8)).toBe("755");
  execFileSync("chmod", ["700", join(claim, "home")]);
  start();
  expect(((await lstat(join(claim, "home"))).mode & 0o7777).toString(8)).toBe("700");
  expect(await holds("home")).toEqual([]);
});

it("leaves a home that is the whole claim as it is, a folder called home in it too", async () => {
  await mkdir(join(claim, "home"));
  await writeFile(join(claim, ".bashrc"), "");
  start();
  start();
  expect([await leads(), await holds()]).toEqual([".", [".bashrc", link, "home", "lost+found"]]);
});

it("goes on where it was cut off", async () => {
  await symlink("home", join(claim, link));
  await mkdir(join(claim, `${link}.new`));
  start();
  expect([await leads(), await holds()]).toEqual(["home", [link, "home", "lost+found"]]);
});

it("finds a home again whose link was removed, and what was written meanwhile", async () => {
  await writeFile(join(claim, ".bashrc"), "");
  start();
  await rm(join(claim, link));
  // As the kubelet does when the container restarts.
  await mkdir(join(claim, link));
  start();
  expect([await leads(), await holds()]).toEqual([".", [".bashrc", link, "lost+found"]]);
  await rm(join(claim, link));
  await mkdir(join(claim, link));
  await writeFile(join(claim, link, "new"), "");
  start();
  const found = (await holds()).find((name) => name.startsWith("found-")) ?? "none";
  expect([await leads(), await holds(found)]).toEqual([".", ["new"]]);
});

it("does not follow a link that leads out of the claim", async () => {
  await writeFile(join(claim, ".bashrc"), "");
  await symlink("/etc", join(claim, link));
  start();
  expect(await leads()).toBe(".");
});

it("moves a home into a folder when asked, with names of any kind", async () => {
  await mkdir(join(claim, "home"));
  await mkdir(join(claim, "a folder"));
  await writeFile(join(claim, "-n"), "kept");
  start();
  await writeFile(join(claim, ".drawbridge-move-home"), "");
  start();
  expect([await leads(), await holds()]).toEqual(["home", [link, "home", "lost+found"]]);
  expect(await holds("home")).toEqual(["-n", "a folder", "home"]);
});
