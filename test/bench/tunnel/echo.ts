/** How long a key takes to come back from a terminal at the other end. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import type { Laptop } from "../../../scripts/lib/lab/lab.ts";

const ready = "ready\n";
/** Milliseconds from one echo to the next key: a very fast typist. */
const pause = 10;

/** Types `keys` keys, one after the other; the seconds that each took to come back. */
export async function typeKeys(laptop: Laptop, host: string, keys: number): Promise<number[]> {
  // A terminal that passes every byte on; `cat` is the program that answers.
  const terminal = `stty raw -echo; printf '${ready.trim()}\\n'; exec cat`;
  const child = spawn("ssh", ["-tt", "-F", laptop.configFile, host, terminal], {
    env: { ...process.env, ...laptop.env },
    stdio: ["pipe", "pipe", "pipe"],
  });
  let errors = "";
  child.stderr.on("data", (chunk: Buffer) => {
    errors += chunk.toString();
  });
  // The reason is in `errors` when the other end is gone while something is typed.
  child.stdin.on("error", () => undefined);
  const output = child.stdout[Symbol.asyncIterator]();
  const more = async (): Promise<string> => {
    const { value, done } = await output.next();
    if (done) throw new Error(`the terminal on ${host} ended: ${errors.trim()}`);
    return (value as Buffer).toString("latin1");
  };
  try {
    for (let text = ""; !text.includes(ready.trim()); ) text += await more();
    const times: number[] = [];
    while (times.length < keys) {
      await new Promise((resolve) => setTimeout(resolve, pause));
      const began = performance.now();
      child.stdin.write("x");
      while (!(await more()).includes("x"));
      times.push((performance.now() - began) / 1000);
    }
    return times;
  } finally {
    child.kill("SIGKILL");
    await once(child, "close");
  }
}
