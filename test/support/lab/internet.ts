/** An internet for the lab: DNS of its own, and machines with public addresses, in a network namespace of theirs. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { eventually, run } from "../../../scripts/lib/lab/lab.ts";

/** Where names are resolved. */
export const resolver = "198.51.100.53";
export const machines = ["198.51.100.10", "198.51.100.11"] as const;

const server = fileURLToPath(new URL("internet-machine.ts", import.meta.url));

/** Each machine answers plain HTTP on 80, TLS on 443 and a banner on 22. */
export class Internet {
  readonly #process: ChildProcess;
  readonly #folder: string;

  private constructor(process: ChildProcess, folder: string) {
    this.#process = process;
    this.#folder = folder;
  }

  /** @param records addresses of names, or the name of which one is an alias */
  static async start(records: Readonly<Record<string, readonly string[] | string>>): Promise<Internet> {
    const folder = await mkdtemp(join(tmpdir(), "drawbridge-internet-"));
    await writeFile(join(folder, "records.json"), JSON.stringify({ resolver, machines, records }));
    const inside = `
      echo $$ > "$1/ready"
      while ! ip link show inet1 >/dev/null 2>&1; do sleep 0.05; done
      ip link set lo up
      for address in ${[resolver, ...machines].join(" ")}; do ip address add "$address/24" dev inet1; done
      ip link set inet1 up
      ip route add default via 198.51.100.1
      openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=ok.test \\
        -addext "subjectAltName=DNS:ok.test,DNS:*.test" -keyout "$1/key.pem" -out "$1/cert.pem" 2>/dev/null
      exec "$2" "$3" "$1"
    `;
    const outside = `
      set -eu
      ip link add inet0 type veth peer name inet1
      ip address add 198.51.100.1/24 dev inet0
      ip link set inet0 up
      unshare --net sh -euc "$INSIDE" sh "$1" "$2" "$3" &
      child=$!
      trap 'kill $child 2>/dev/null; ip link del inet0 2>/dev/null || true' EXIT TERM
      while ! [ -s "$1/ready" ]; do sleep 0.05; done
      ip link set inet1 netns "$(cat "$1/ready")"
      wait $child
    `;
    const child = spawn("sh", ["-c", outside, "sh", folder, process.execPath, server], {
      env: { ...process.env, INSIDE: inside },
      stdio: ["ignore", "inherit", "inherit"],
      detached: true,
    });
    const internet = new Internet(child, folder);
    await eventually("the internet", async () => {
      const { code } = await run("curl", ["-s", "--max-time", "2", `http://${machines[0]}/`]);
      return code === 0;
    });
    return internet;
  }

  async remove(): Promise<void> {
    if (this.#process.pid !== undefined) process.kill(-this.#process.pid, "SIGTERM");
    await run("ip", ["link", "del", "inet0"]);
    await rm(this.#folder, { recursive: true, force: true });
  }
}
