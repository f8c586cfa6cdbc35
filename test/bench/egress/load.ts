/** The load, from inside the container: where a token counts is its own pod. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { must } from "../../../scripts/lib/lab/lab.ts";
import { bulkBytes, host, pod, team, type Way } from "./objects.ts";

const program = readFileSync(new URL("load.js", import.meta.url), "utf8");
const inside = (command: readonly string[]) => ["-n", team, "exec", "-i", pod, "--", ...command];
const load = (mode: string, { address }: Way, ...rest: readonly string[]) =>
  inside(["node", "-e", program, mode, address, `${host}:443`, ...rest]);

/** Seconds until each tunnel stood, and how many never did. */
export async function connects(way: Way, rate: number, seconds: number) {
  const said = await must("kubectl", load("connects", way, String(rate), String(seconds), way.login), {
    timeoutSeconds: 120,
  });
  return JSON.parse(said) as { readonly took: number[]; readonly lost: number };
}

/** Bytes a second through one tunnel, in plain HTTP. */
export async function bulk({ address, login }: Way): Promise<number> {
  const curl = `curl -sS -o /dev/null -w '%{size_download} %{speed_download}' --proxytunnel --proxy-header 'Proxy-Authorization: ${login}' --noproxy '' -x http://${address} http://${host}/files/bulk`;
  const [size, speed] = (await must("kubectl", inside(["sh", "-c", curl]))).split(" ").map(Number);
  if (size !== bulkBytes || speed === undefined) throw new Error(`${size} of ${bulkBytes} bytes came`);
  return speed;
}

/** Holds one tunnel for each login while `work` runs; fails if one was refused. */
export async function holding<T>(way: Way, logins: readonly string[], work: () => Promise<T>): Promise<T> {
  const child = spawn("kubectl", load("hold", way), { stdio: ["pipe", "pipe", "inherit"] });
  try {
    child.stdin.write(`${logins.join()}\n`);
    const [said] = (await once(child.stdout, "data")) as [Buffer];
    if (said.toString() !== `held ${logins.length}\n`) throw new Error(`${said} of ${logins.length} tunnels`);
    return await work();
  } finally {
    // The end of its input ends the program inside.
    child.kill();
    await once(child, "close");
  }
}
