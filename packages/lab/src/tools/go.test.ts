import { existsSync, mkdtempSync, readdirSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it, vi } from "vitest";
import { silentProgress } from "../progress.ts";
import { cureOf } from "./go.ts";
import { ensureTools } from "./index.ts";

const folder = mkdtempSync(join(tmpdir(), "drawbridge-go-"));
afterAll(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true, force: true });
});

describe("a build that fails for a reason outside of the sources", () => {
  it.each([
    [
      "off",
      "A Go module cannot be fetched, because GOPROXY is off: unset it, or name a module proxy, then run this again.",
    ],
    [
      "http://127.0.0.1:9",
      "The Go module github.com/pulumi/pulumi-yaml@v1.38.1 cannot be fetched: set GOPROXY to a module proxy that serves it (`go env GOPROXY` says which is asked), then run this again.",
    ],
  ])("such as GOPROXY=%s ends in one sentence, with nothing in the cache", async (proxy, sentence) => {
    const cache = join(folder, "cache");
    vi.stubEnv("DRAWBRIDGE_CACHE", cache);
    vi.stubEnv("GOMODCACHE", join(folder, "modules"));
    vi.stubEnv("GOPROXY", proxy);
    await expect(ensureTools(["pulumi-language-yaml"], silentProgress)).rejects.toThrow(new Error(sentence));
    const left = existsSync(join(cache, "tools")) ? readdirSync(join(cache, "tools")) : [];
    expect(left.filter((name) => !name.endsWith(".lock"))).toEqual([]);
  });

  it.each([
    [
      "verifying example.com/a@v1.0.0: checksum mismatch\n\tdownloaded: h1:a\n\tgo.sum:     h1:b",
      "The Go module example.com/a@v1.0.0 is not what the go.sum of the lab has: empty Go's module cache (`go clean -modcache`), and ask the owner of your module proxy if it comes again.",
    ],
    [
      "main.go:3:2: example.com/a/b@v0.1.0-rc.1: reading https://proxy.example.com/a/@v/v0.1.0-rc.1.zip: 403 Forbidden",
      "The Go module example.com/a/b@v0.1.0-rc.1 cannot be fetched: set GOPROXY to a module proxy that serves it (`go env GOPROXY` says which is asked), then run this again.",
    ],
    [
      "/usr/local/go/pkg/tool/linux_amd64/link: mapping output file failed: no space left on device",
      "The disk is full: free some room for Go's caches (`go env GOCACHE GOMODCACHE`), then run this again.",
    ],
    ["main.go:3:2: undefined: x", undefined],
  ])("%j", (output, sentence) => {
    expect(cureOf(output)).toBe(sentence);
  });
});
