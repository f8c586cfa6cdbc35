import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { hasOwnPulumi, ownProvider } from "./own-pulumi.ts";
import { silentProgress } from "./progress.ts";

let folder: string;
let env: NodeJS.ProcessEnv;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "drawbridge-pulumi-"));
  for (const name of ["cache", "path"]) mkdirSync(join(folder, name));
  env = {
    PATH: [join(folder, "path"), process.env.PATH].join(delimiter),
    DRAWBRIDGE_CACHE: join(folder, "cache"),
  };
});

afterEach(() => rmSync(folder, { recursive: true }));

function program(path: string, code = 0): string {
  const file = join(folder, path);
  writeFileSync(file, `#!/bin/sh\nexit ${code}\n`, { mode: 0o755 });
  return file;
}

it("a pulumi on PATH is the user's", () => {
  program("path/pulumi");
  expect(hasOwnPulumi(env)).toBe(true);
});

it("without a cache as well", () => {
  program("path/pulumi");
  expect(hasOwnPulumi({ ...env, DRAWBRIDGE_CACHE: join(folder, "none") })).toBe(true);
});

it("a link to the one that the lab has built is not", () => {
  symlinkSync(program("cache/pulumi"), join(folder, "path/pulumi"));
  expect(hasOwnPulumi(env)).toBe(false);
});

it("one that does not work is not, and none is not", () => {
  program("path/pulumi", 1);
  expect(hasOwnPulumi(env)).toBe(false);
  rmSync(join(folder, "path/pulumi"));
  expect(hasOwnPulumi(env)).toBe(false);
});

describe("the Kubernetes provider of the user's Pulumi", () => {
  /** A pulumi that says this version of a provider's schema, ends downloads with this code, and notes how it is called. */
  function pulumi({ schema = "", download = 1 } = {}): () => string[] {
    const calls = join(folder, "calls");
    const answer = `case "$1" in package) echo '{"version": "${schema}"}' ;; plugin) exit ${download} ;; esac`;
    const text = `#!/bin/sh\n[ "$1" = version ] || echo "$*" >> ${calls}\n${answer}\n`;
    writeFileSync(join(folder, "path/pulumi"), text, { mode: 0o755 });
    env.PULUMI_HOME = join(folder, "home");
    return () => (existsSync(calls) ? readFileSync(calls, "utf8").trim().split("\n") : []);
  }
  function plugin(version: string): string {
    const place = join(folder, "home/plugins", `resource-kubernetes-v${version}`);
    mkdirSync(place, { recursive: true });
    writeFileSync(join(place, "pulumi-resource-kubernetes"), "", { mode: 0o755 });
    return place;
  }
  const found = () => ownProvider(silentProgress, env);
  const downloadCall = "plugin install resource kubernetes 4.34.2";

  it("is none where there is no Pulumi, whatever plugins there are", async () => {
    env.PULUMI_HOME = join(folder, "home");
    plugin("4.34.2");
    expect(await found()).toBeUndefined();
  });

  it("is the plugin of the version that is asked for", async () => {
    const calls = pulumi();
    for (const version of ["4.34.2", "4.35.0"]) plugin(version);
    expect(await found()).toEqual({ version: "4.34.2" });
    expect(calls()).toEqual([]);
  });

  it("is else the newest plugin that the components take, which Pulumi has to be shown", async () => {
    const calls = pulumi();
    const [, newest] = ["4.9.0", "4.31.2", "4.30.10", "5.0.0"].map(plugin);
    expect(await found()).toEqual({ version: "4.31.2", folder: newest });
    expect(calls()).toEqual([]);
  });

  it("is downloaded where there is none that fits", async () => {
    const calls = pulumi({ download: 0 });
    plugin("4.29.9");
    expect(await found()).toEqual({ version: "4.34.2" });
    expect(calls()).toEqual([downloadCall]);
  });

  it("is none where it cannot be had, and the download is not tried again at once", async () => {
    const calls = pulumi();
    expect(await found()).toBeUndefined();
    expect(await found()).toBeUndefined();
    expect(calls()).toEqual([downloadCall]);
  });

  it("is the one on PATH before any plugin, if it is new enough", async () => {
    pulumi({ schema: "4.30.0" });
    plugin("4.34.2");
    const own = realpathSync(program("path/pulumi-resource-kubernetes"));
    expect(await found()).toEqual({ version: "4.30.0" });
    for (const version of ["4.29.9", "5.0.0"]) {
      pulumi({ schema: version });
      await expect(found()).rejects.toThrow(
        `${own}, which Pulumi takes because it is on PATH, is version ${version}; drawbridge needs 4.30.0 or a newer release of that major version. Put a newer one there, or take it off PATH.`,
      );
    }
  });
});
