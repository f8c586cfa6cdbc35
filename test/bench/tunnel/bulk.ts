/** Bulk through ssh, to and from memory, so that no disk is measured. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { type Laptop, run } from "../../../scripts/lib/lab/lab.ts";

const mebibytes = 64;
const bytes = mebibytes * 1024 * 1024;

/** Bytes a second, the login included. */
async function rate(laptop: Laptop, script: string): Promise<number> {
  const began = performance.now();
  const outcome = await run("sh", ["-euc", script, "sh", laptop.configFile], {
    env: laptop.env,
    timeoutSeconds: 300,
  });
  if (outcome.code !== 0) throw new Error(`${script}: ${outcome.stderr.trim()}`);
  return bytes / ((performance.now() - began) / 1000);
}

export function download(laptop: Laptop, host: string): Promise<number> {
  return rate(laptop, `ssh -F "$1" ${host} 'head -c ${bytes} /dev/zero' | cat > /dev/null`);
}

export function upload(laptop: Laptop, host: string): Promise<number> {
  return rate(laptop, `head -c ${bytes} /dev/zero | ssh -F "$1" ${host} 'cat > /dev/null'`);
}

/** Does something while a download that never ends runs by the same way. */
export async function besideDownload<T>(laptop: Laptop, host: string, work: () => Promise<T>): Promise<T> {
  const child = spawn("ssh", ["-F", laptop.configFile, host, "exec cat /dev/zero"], {
    env: { ...process.env, ...laptop.env },
    stdio: ["ignore", "pipe", "ignore"],
  });
  try {
    // In full flow before anything counts.
    await once(child.stdout, "data");
    child.stdout.resume();
    return await work();
  } finally {
    child.kill("SIGKILL");
    await once(child, "close");
  }
}
