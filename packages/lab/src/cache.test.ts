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

  it("survives a process that is killed while it fills the entry", async () => {
    const script = `
      const { cached } = await import(${JSON.stringify(new URL("./cache.ts", import.meta.url).href)});
      await cached({ path: "tools/a", fill: () => { console.log("filling"); return new Promise(() => setInterval(() => {}, 1000)); } });`;
    const victim = spawn(process.execPath, ["--input-type=module", "-e", script], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    expect(String(await once(victim.stdout, "data"))).toBe("filling\n");
    victim.kill("SIGKILL");
    expect((await readdir(join(cache, "tools"))).sort()).toEqual(["a.lock", "a.partial"]);
    await cached({ path: "tools/a", fill: (folder) => writeFile(join(folder, "tool"), "x") });
    expect((await readdir(join(cache, "tools"))).sort()).toEqual(["a", "a.lock"]);
    expect(await readdir(join(cache, "tools/a"))).toEqual(["tool"]);
  });

  it("lets the second of two callers wait for the first one's result", async () => {
    const order: string[] = [];
    let waiting = () => {};
    const secondWaits = new Promise<void>((resolve) => {
      waiting = resolve;
    });
    let second: Promise<string> | undefined;
    const first = cached({
      path: "tools/a",
      fill: async () => {
        second = cached({
          path: "tools/a",
          fill: async () => void order.push("second filled"),
          onWait: () => {
            order.push("second waits");
            waiting();
          },
        });
        await secondWaits;
        order.push("first filled");
      },
    });
    expect(await first).toBe(join(cache, "tools/a"));
    expect(await second).toBe(join(cache, "tools/a"));
    expect(order).toEqual(["second waits", "first filled"]);
  });
});
