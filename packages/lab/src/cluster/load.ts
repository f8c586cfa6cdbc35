import { spawn } from "node:child_process";
import { createReadStream } from "node:fs";
import { text } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { containerdSocket } from "./layout.ts";

/** `ctr` with everything that kubelet's images need; the archive comes on standard input. */
export const importArguments = [
  `--address=${containerdSocket}`,
  "--namespace=k8s.io",
  "images",
  "import",
  // Kubernetes' own label, so that kubelet lists the image at once.
  "--label=io.cri-containerd.image=managed",
  "-",
];

/**
 * Loads one image archive.
 * @param command the program to run with its arguments; it gets the archive on standard input
 */
export async function importImage(command: readonly [string, ...string[]], tar: string): Promise<void> {
  const [program, ...args] = command;
  const child = spawn(program, args, { stdio: ["pipe", "ignore", "pipe"] });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  const [complaint, code] = await Promise.all([
    text(child.stderr),
    ended,
    // When the reader gives up, its own words say more than a broken pipe.
    pipeline(createReadStream(tar), child.stdin).catch(() => {}),
  ]);
  // What stands before the last line is advice about the machine.
  const reason = complaint.trim().split("\n").at(-1);
  if (code !== 0) throw new Error(`cannot load the image archive ${tar}: ${reason}`);
}
