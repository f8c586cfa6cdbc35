/** Files through the storage proxy, beside a bare dufs on the same disk and the disk itself. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { silentProgress } from "../../../packages/lab/src/progress.ts";
import { ensureTools } from "../../../packages/lab/src/tools/index.ts";
import type { Samples, Scenario } from "../../../scripts/lib/bench-report/scenario.ts";
import { freePort } from "../../../scripts/lib/free-port.ts";
import { eventually, getObject, Laptop, run as runProgram } from "../../../scripts/lib/lab/lab.ts";
import { testNamespace } from "../../support/lab/cluster.ts";
import { login, testAccess, testProxy, testStorage, writer } from "../../support/stacks/storage.ts";
import { type Removal, withCleanup } from "../cleanup.ts";
import { Recorder } from "../support/samples.ts";
import { benchStack } from "../support/stack.ts";

const team = "bench-storage";
const rounds = 5;
const MiB = 1024 * 1024;
const large = 256 * MiB;
const someFiles = 1000;
/** In full runs, which are for them alone, and once: a bare dufs takes minutes for them. */
const allFiles = 10_000;
const fileBytes = 4096;
const readers = 100;
const readBytes = 16 * MiB;

/** Where the lab keeps the volume behind a claim. */
async function volumePath(claim: string): Promise<string> {
  const { spec } = await getObject<{ spec: { volumeName: string } }>(["-n", team, "pvc", claim]);
  const volume = await getObject<{ spec: { local: { path: string } } }>(["pv", spec.volumeName]);
  return volume.spec.local.path;
}

/** Runs a program to its end; returns the seconds that it took. */
async function timed(program: string, args: readonly string[]): Promise<number> {
  const began = performance.now();
  const { code, stderr } = await runProgram(program, args, { timeoutSeconds: 600 });
  if (code !== 0) throw new Error(`${program} ${args.join(" ")}: ${stderr.trim()}`);
  return (performance.now() - began) / 1000;
}

/** A program on the machine that has the disk. Like dufs, it leaves to the kernel when the disk is written. */
const shell = (script: string, ...args: string[]) => timed("sh", ["-euc", script, "sh", ...args]);

/** Requests of one curl, which uses a connection again; an answer that is no success fails it. */
const curl = (...args: string[]) =>
  timed("curl", ["--silent", "--show-error", "--fail", ...login(writer), ...args]);

/** dufs without anything in front of it, with one user as behind the proxy; returns its address. */
async function bareDufs(folder: string, later: (removal: Removal) => void): Promise<string> {
  const { dufs } = await ensureTools(["dufs"], silentProgress);
  const port = await freePort();
  const rule = `${writer.user}:${writer.password}@/:rw`;
  const args = [
    folder,
    "--bind",
    "127.0.0.1",
    "--port",
    `${port}`,
    "--allow-upload",
    "--allow-delete",
    "--auth",
    rule,
  ];
  const child: ChildProcess = spawn(dufs, args, { stdio: "ignore" });
  later(async () => {
    child.kill();
  });
  return `http://127.0.0.1:${port}/`;
}

/** What the laptop sends: a large file, one for many readers, and many small ones. */
async function filesOf({ folder }: Laptop, files: number) {
  const noise = (bytes: number, path: string) =>
    shell(
      `openssl enc -aes-128-ctr -K 0 -iv 0 -in /dev/zero 2>/dev/null | head -c ${bytes} > "$1"`,
      join(folder, path),
    );
  await noise(large, "large");
  await noise(readBytes, "read");
  await mkdir(join(folder, "small"));
  const text = Buffer.alloc(fileBytes, "drawbridge ");
  for (let index = 1; index <= files; index++) {
    await writeFile(join(folder, "small", `${index}`), text);
  }
  return { files, large: join(folder, "large"), read: join(folder, "read"), small: join(folder, "small") };
}

type Sent = Awaited<ReturnType<typeof filesOf>>;

const nowhere = ["-o", "/dev/null"];

/** One round of large files over HTTP, to a folder of dufs at `url`. */
async function overHttp(recorder: Recorder, rival: string, url: string, sent: Sent): Promise<void> {
  recorder.add(rival, "upload_per_second", large / (await curl("-T", sent.large, `${url}large`)));
  recorder.add(rival, "download_per_second", large / (await curl(...nowhere, `${url}large`)));
  const crowd = ["--parallel", "--parallel-immediate", "--parallel-max", `${readers}`];
  const read = await curl(...crowd, ...nowhere, `${url}read?reader=[1-${readers}]`);
  recorder.add(rival, "readers_per_second", (readers * readBytes) / read);
}

/** One round of small files over HTTP. */
async function smallOverHttp(recorder: Recorder, rival: string, url: string, sent: Sent): Promise<void> {
  const { small, files } = sent;
  const up = await curl(...nowhere, "-T", `${small}/[1-${files}]`, `${url}small/`);
  recorder.add(rival, `small_up_${files}`, up);
  recorder.add(rival, `small_down_${files}`, await curl(...nowhere, `${url}small/[1-${files}]`));
}

/** One round of large files on the disk itself. */
async function onDisk(recorder: Recorder, folder: string, sent: Sent): Promise<void> {
  const copied = await shell('cat "$1" > "$2"', sent.large, join(folder, "direct"));
  recorder.add("disk", "upload_per_second", large / copied);
  const read = await shell('cat "$1" | cat > /dev/null', join(folder, "direct"));
  recorder.add("disk", "download_per_second", large / read);
}

/** One round of small files on the disk itself. */
async function smallOnDisk(recorder: Recorder, folder: string, { small, files }: Sent): Promise<void> {
  const copy = 'rm -rf "$2"; mkdir "$2"; cp "$1"/* "$2"';
  recorder.add("disk", `small_up_${files}`, await shell(copy, small, join(folder, "copied")));
  const read = await shell('cat "$1"/* > /dev/null', join(folder, "copied"));
  recorder.add("disk", `small_down_${files}`, read);
}

async function run(progress: (line: string) => void, full: boolean): Promise<Samples> {
  return withCleanup(async (later) => {
    const laptop = await Laptop.create("storage");
    later(() => laptop.remove());
    const sent = await filesOf(laptop, full ? allFiles : someFiles);
    const { stack } = await benchStack(later, async () => {
      const proxy = testProxy("bench-files");
      const accessor = testAccess(proxy, { actions: ["upload", "delete"], credentials: [writer] });
      const storage = testStorage("bulk", { namespace: team, size: "4Gi", browse: accessor }, [
        testNamespace(team),
      ]);
      return { url: storage.url, claim: storage.claimName };
    }, [team]);
    const { outputs } = await stack.up();
    const folder = await volumePath(outputs.claim?.value as string);
    const urls = { drawbridge: outputs.url?.value as string, dufs: await bareDufs(folder, later) };
    for (const url of Object.values(urls)) {
      await eventually("the first upload", async () => (await curl("-T", sent.read, `${url}read`)) > 0, 120);
    }
    progress("the storage and a bare dufs answer");
    const recorder = new Recorder();
    for (let round = 1; round <= (full ? 1 : rounds); round++) {
      for (const [rival, url] of Object.entries(urls)) {
        if (!full) await overHttp(recorder, rival, url, sent);
        await smallOverHttp(recorder, rival, url, sent);
      }
      if (!full) await onDisk(recorder, folder, sent);
      await smallOnDisk(recorder, folder, sent);
      progress(`round ${round}`);
    }
    return recorder.samples;
  });
}

export const storage: Scenario = {
  name: "storage",
  title: `a file of ${large / MiB} MiB, ${someFiles} of ${fileBytes} bytes (--full: ${allFiles}) and ${readers} readers, through the storage proxy, a bare dufs, and on the same disk`,
  run: (progress) => run(progress, false),
  runFull: (progress) => run(progress, true),
};
