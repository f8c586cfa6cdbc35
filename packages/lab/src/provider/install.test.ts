import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { silentProgress } from "../progress.ts";
import { kubernetesPlugin } from "./install.ts";

let folder: string;
const cacheBefore = process.env.DRAWBRIDGE_CACHE;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "drawbridge-install-"));
  // A folder that does not exist yet, as on a new machine.
  process.env.DRAWBRIDGE_CACHE = join(folder, "cache");
});
afterEach(() => {
  if (cacheBefore === undefined) delete process.env.DRAWBRIDGE_CACHE;
  else process.env.DRAWBRIDGE_CACHE = cacheBefore;
  rmSync(folder, { recursive: true });
});

/** A Pulumi command line program that has these plugins and installs with this exit code; it notes how it is called. */
function pulumi(plugins: object[], installExit: number): { path: string; calls: () => string[] } {
  const path = join(folder, "pulumi");
  const log = join(folder, "calls");
  const list = JSON.stringify(plugins);
  writeFileSync(
    path,
    `#!/bin/sh\necho "$*" >> ${log}\ncase "$2" in ls) echo '${list}' ;; install) exit ${installExit} ;; esac\n`,
    { mode: 0o755 },
  );
  return { path, calls: () => readFileSync(log, "utf8").trim().split("\n") };
}

const LS = "plugin ls --json";
const INSTALL = "plugin install resource kubernetes 4.34.2";
const official = {
  kind: "official",
  version: "4.34.2",
  env: {},
};

test("a plugin that Pulumi has is used", async () => {
  const { path, calls } = pulumi([{ name: "kubernetes", kind: "resource", version: "4.34.2" }], 1);
  expect(await kubernetesPlugin(silentProgress, path)).toEqual(official);
  expect(calls()).toEqual([LS]);
});

test("a plugin that Pulumi can get is installed; another version does not count", async () => {
  const { path, calls } = pulumi([{ name: "kubernetes", kind: "resource", version: "4.33.0" }], 0);
  expect(await kubernetesPlugin(silentProgress, path)).toEqual(official);
  expect(calls()).toEqual([LS, INSTALL]);
});

test("where it cannot be had the stand-in takes its place, and the download is not tried again at once", async () => {
  const { path, calls } = pulumi([], 1);
  const plugin = await kubernetesPlugin(silentProgress, path);
  expect(plugin.kind).toBe("stand-in");
  expect(plugin.env.PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION).toBe("true");
  expect(await kubernetesPlugin(silentProgress, path)).toEqual(plugin);
  expect(calls()).toEqual([LS, INSTALL, LS]);

  const [standIn, own] = plugin.env.PATH!.split(delimiter);
  expect(own).toBe(folder);
  const program = spawn(join(standIn!, "pulumi-resource-kubernetes"), []);
  const [line] = (await once(program.stdout, "data")) as [Buffer];
  program.kill();
  expect(line.toString()).toMatch(/^\d+\n$/);
});
