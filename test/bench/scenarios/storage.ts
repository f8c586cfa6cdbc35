/** A large file through the storage proxy, beside the same file on the disk itself. */
import { join } from "node:path";
import { testNamespace } from "../../support/cluster.ts";
import { eventually, getObject, Laptop, run as runProgram } from "../../support/lab.ts";
import { login, testAccess, testProxy, testStorage, writer } from "../../support/storage.ts";
import { curl } from "../../support/web.ts";
import { withCleanup } from "../cleanup.ts";
import type { Samples, Scenario } from "../scenario.ts";
import { Recorder } from "../support/samples.ts";
import { benchStack } from "../support/stack.ts";

const team = "bench-storage";
const rounds = 5;
const mebibytes = 256;
const bytes = mebibytes * 1024 * 1024;

/** Where the lab keeps the volume behind a claim. */
async function volumePath(claim: string): Promise<string> {
  const { spec } = await getObject<{ spec: { volumeName: string } }>(["-n", team, "pvc", claim]);
  const volume = await getObject<{ spec: { local: { path: string } } }>(["pv", spec.volumeName]);
  return volume.spec.local.path;
}

/** Bytes a second of one step, which has to end well. */
async function rate(step: () => Promise<{ ok: boolean; why: string }>): Promise<number> {
  const began = performance.now();
  const { ok, why } = await step();
  if (!ok) throw new Error(why);
  return bytes / ((performance.now() - began) / 1000);
}

/** A program on the machine that has the disk. Like the accessor, it leaves to the kernel when the disk is written. */
async function shell(script: string, ...args: string[]) {
  const outcome = await runProgram("sh", ["-euc", script, "sh", ...args], { timeoutSeconds: 300 });
  return { ok: outcome.code === 0, why: outcome.stderr };
}

async function request(args: readonly string[], status: number) {
  const answer = await curl([...login(writer), ...args], 300);
  return { ok: answer.status === status, why: `curl ${args.join(" ")}: ${answer.status}, not ${status}` };
}

async function run(progress: (line: string) => void): Promise<Samples> {
  return withCleanup(async (later) => {
    const laptop = await Laptop.create("storage");
    later(() => laptop.remove());
    const file = join(laptop.folder, "file");
    const noise = `openssl enc -aes-128-ctr -K 0 -iv 0 -in /dev/zero 2>/dev/null | head -c ${bytes} > "$1"`;
    const made = await shell(noise, file);
    if (!made.ok) throw new Error(made.why);
    const { stack } = await benchStack(later, async () => {
      const proxy = testProxy("bench-files");
      const accessor = testAccess(proxy, { allow: ["upload", "delete"], credentials: [writer] });
      const storage = testStorage("bulk", { namespace: team, size: "2Gi", browse: accessor }, [
        testNamespace(team),
      ]);
      return { url: storage.url, claim: storage.claimName };
    }, [team]);
    const { outputs } = await stack.up();
    const url = `${outputs.url?.value}file`;
    const disk = join(await volumePath(outputs.claim?.value as string), "file");
    await eventually("the first upload", async () => (await request(["-T", file, url], 201)).ok, 120);
    progress("the storage answers");
    const recorder = new Recorder();
    for (let round = 1; round <= rounds; round++) {
      const upload = () => request(["-T", file, url], 201);
      recorder.add("drawbridge", "upload_per_second", await rate(upload));
      recorder.add(
        "drawbridge",
        "download_per_second",
        await rate(() => request(["-o", "/dev/null", url], 200)),
      );
      recorder.add(
        "disk",
        "upload_per_second",
        await rate(() => shell('cat "$1" > "$2.direct"', file, disk)),
      );
      recorder.add(
        "disk",
        "download_per_second",
        await rate(() => shell('cat "$1" | cat > /dev/null', disk)),
      );
      progress(`round ${round} of ${rounds}`);
    }
    return recorder.samples;
  });
}

export const storage: Scenario = {
  name: "storage",
  title: `a file of ${mebibytes} MiB up and down through the storage proxy, and written to and read from the same disk`,
  run,
};
