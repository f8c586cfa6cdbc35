/** Five gibibytes through proxy and accessor, both ways, interrupted and resumed. */
import { stat, symlink } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testStack } from "../../scripts/lib/engine/engine.ts";
import { eventually, Laptop, run } from "../../scripts/lib/lab/lab.ts";
import { pageBlock } from "../../scripts/lib/pages/page-blocks.ts";
import { endStack, testNamespace } from "../support/lab/cluster.ts";
import { curl } from "../support/lab/web.ts";
import { login, testAccess, testProxy, testStorage, writer } from "../support/stacks/storage.ts";

const team = "team-bulk";
const size = 5 * 2 ** 30;
const as = login(writer);

let laptop: Laptop;
let stack: Awaited<ReturnType<typeof testStack>>;
let target: string;

async function program() {
  const namespace = testNamespace(team);
  const proxy = testProxy("files-bulk");
  const accessor = testAccess(proxy, { actions: ["upload", "delete"], credentials: [writer] });
  const bulk = testStorage("bulk", { namespace: team, size: "12Gi", browse: accessor }, [namespace]);
  return { url: bulk.url };
}

const file = (name: string) => join(laptop.folder, name);

async function checksum(path: string): Promise<string> {
  const outcome = await run("sha256sum", [path], { timeoutSeconds: 600 });
  return outcome.stdout.split(" ")[0] ?? "";
}

/** Bytes that have arrived at the accessor. */
async function arrived(): Promise<number> {
  const head = await run("curl", ["-sI", ...as, target]);
  return Number(/^content-length: (\d+)/im.exec(head.stdout)?.[1] ?? 0);
}

beforeAll(async () => {
  laptop = await Laptop.create();
  stack = await testStack(program);
  target = `${(await stack.stack.up()).outputs.url?.value as string}large.bin`;
  // Noise that is cheap to make: what a cipher makes of zeros.
  const script = `openssl enc -aes-128-ctr -K 0 -iv 0 -in /dev/zero 2>/dev/null | head -c ${size} > "$1"`;
  await run("sh", ["-c", script, "sh", file("large.bin")], { timeoutSeconds: 600 });
});

afterAll(() => endStack(stack, [team], laptop));

describe("5 GiB", () => {
  it("go up, broken off and resumed, and come down again the same, broken off and resumed", async () => {
    // Given a third of the time that it needs, then the rest by PATCH.
    const first = run("curl", [
      "-s",
      ...as,
      "-T",
      file("large.bin"),
      "--limit-rate",
      "200M",
      "-m",
      "10",
      target,
    ]);
    expect((await first).code).toBe(28);
    // What was under way when the client left still arrives for a moment.
    let kept = 0;
    await eventually("the broken upload to be kept", async () => {
      const before = kept;
      await new Promise((resolve) => setTimeout(resolve, 2000));
      kept = await arrived();
      return kept > 0 && kept === before;
    });
    expect(kept).toBeLessThan(size);
    await symlink(file("large.bin"), file("file"));
    const rest = await pageBlock("docs/storage.md", "sh", "X-Update-Range");
    const resumed = await run("bash", ["-euo", "pipefail", "-c", rest], {
      cwd: laptop.folder,
      env: { who: `${writer.user}:${writer.password}`, url: target },
      timeoutSeconds: 1200,
    });
    expect(resumed.code).toBe(0);
    expect(await arrived()).toBe(size);

    const broken = run("curl", [
      "-s",
      ...as,
      "-o",
      file("back.bin"),
      "--limit-rate",
      "200M",
      "-m",
      "10",
      target,
    ]);
    expect((await broken).code).toBe(28);
    const had = (await stat(file("back.bin"))).size;
    expect(had).toBeGreaterThan(0);
    expect(had).toBeLessThan(size);
    expect((await curl([...as, "-C", "-", "-o", file("back.bin"), target], 1200)).status).toBe(206);
    expect((await stat(file("back.bin"))).size).toBe(size);
    expect(await checksum(file("back.bin"))).toBe(await checksum(file("large.bin")));
  }, 1_800_000);

  it("can be read from the end without the rest", async () => {
    const last = file("last");
    expect((await curl([...as, "-r", "-1024", "-o", last, target])).status).toBe(206);
    const tail = await run("sh", ["-c", 'tail -c 1024 "$1" | cmp - "$2"', "sh", file("large.bin"), last]);
    expect(tail).toMatchObject({ code: 0, stdout: "" });
  });
});
