import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { cacheDir, cached } from "./cache.ts";

describe("cacheDir", () => {
  it.each([
    [{ DRAWBRIDGE_CACHE: "/own", XDG_CACHE_HOME: "/xdg" }, "/own"],
    [{ DRAWBRIDGE_CACHE: "", XDG_CACHE_HOME: "/xdg" }, "/xdg/drawbridge"],
    [{}, "/home/ada/.cache/drawbridge"],
  ])("of %o is %s", (env, folder) => {
    expect(cacheDir(env, "/home/ada")).toBe(folder);
  });
});

describe("cached", () => {
  let cache: string;
  beforeEach(async () => {
    cache = await mkdtemp(join(tmpdir(), "drawbridge-cache-"));
    vi.stubEnv("DRAWBRIDGE_CACHE", cache);
  });
  afterEach(async () => {
    vi.unstubAllEnvs();
    await rm(cache, { recursive: true });
  });

  it("fills a missing entry once and then returns it", async () => {
    const fill = vi.fn((folder: string) => writeFile(join(folder, "tool"), "x"));
    expect(await cached({ path: "tools/a", fill })).toBe(join(cache, "tools/a"));
    expect(await cached({ path: "tools/a", fill })).toBe(join(cache, "tools/a"));
    expect(fill).toHaveBeenCalledTimes(1);
    expect(await readdir(join(cache, "tools/a"))).toEqual(["tool"]);
  });

  it("leaves no folder behind when filling fails, so that the next call tries again", async () => {
    const fault = new Error("disk full");
    await expect(cached({ path: "tools/a", fill: () => Promise.reject(fault) })).rejects.toBe(fault);
    expect(await readdir(join(cache, "tools"))).toEqual(["a.lock"]);
    await cached({ path: "tools/a", fill: async () => {} });
    expect((await readdir(join(cache, "tools"))).sort()).toEqual(["a", "a.lock"]);
  });

  /** A process that fills the entry until it reads something. */
  async function other() {
    const script = `
      const { cached } = await import(${JSON.stringify(new URL("./cache.ts", import.meta.url).href)});
      await cached({ path: "tools/a", fill: () => { console.log("filling"); return new Promise((done) => process.stdin.once("data", done)); } });
      process.exit();`;
    const filling = spawn(process.execPath, ["--input-type=module", "-e", script], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    expect(String(await once(filling.stdout, "data"))).toBe("filling\n");
    return filling;
  }

  it("survives a process that is killed while it fills the entry", async () => {
    const victim = await other();
    victim.kill("SIGKILL");
    expect((await readdir(join(cache, "tools"))).sort()).toEqual(["a.lock", "a.partial"]);
    await cached({ path: "tools/a", fill: (folder) => writeFile(join(folder, "tool"), "x") });
    expect((await readdir(join(cache, "tools"))).sort()).toEqual(["a", "a.lock"]);
    expect(await readdir(join(cache, "tools/a"))).toEqual(["tool"]);
  });

  it("fills once for two callers at once", async () => {
    const fill = vi.fn((folder: string) => writeFile(join(folder, "tool"), "x"));
    const onWait = vi.fn();
    const both = [cached({ path: "tools/a", fill, onWait }), cached({ path: "tools/a", fill, onWait })];
    expect(await Promise.all(both)).toEqual([join(cache, "tools/a"), join(cache, "tools/a")]);
    expect([fill.mock.calls.length, onWait.mock.calls.length]).toEqual([1, 0]);
  });

  it("waits for another process that fills the entry", async () => {
    const { stdin } = await other();
    const fill = vi.fn(async () => {});
    const folder = await cached({ path: "tools/a", fill, onWait: () => stdin.write("go\n") });
    expect(folder).toBe(join(cache, "tools/a"));
    expect(fill).not.toHaveBeenCalled();
  });
});
