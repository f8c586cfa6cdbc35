/** An internet for the lab: DNS of its own, and machines with public addresses, in a network namespace of theirs. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { eventually, run } from "../../../scripts/lib/lab/lab.ts";

/** Where names are resolved. */
export const resolver = "198.51.100.53";
export const machines = ["198.51.100.10", "198.51.100.11"] as const;
/** One more, at which nothing listens yet. */
export const spareMachine = "198.51.100.12";

const server = fileURLToPath(new URL("internet-machine.ts", import.meta.url));

/** The addresses of a name, a list for one that is another each time; or the name of which it is an alias. */
export type Known = readonly (string | readonly string[])[] | string;

/** Each machine answers plain HTTP on 80, TLS on 443 and a banner on 22. */
export class Internet {
  readonly #process: ChildProcess;
  readonly #folder: string;
  /** What is in here, machines answer with below `/files`, by plain HTTP and TLS. */
  readonly files: string;
  /** The certificate that they have for every name of two labels, as the authority that a client trusts. */
  readonly certificate: string;

  private constructor(process: ChildProcess, folder: string) {
    this.#process = process;
    this.#folder = folder;
    this.files = join(folder, "files");
    this.certificate = join(folder, "cert.pem");
  }

  /** The command that runs another one there. */
  async inside(): Promise<readonly string[]> {
    return ["nsenter", "--target", (await readFile(join(this.#folder, "ready"), "utf8")).trim(), "--net"];
  }

  /** Everything that has come in so far: `opened <address>:<port>` and `asked <name>`. */
  async arrivals(): Promise<readonly string[]> {
    return (await readFile(join(this.#folder, "arrivals"), "utf8")).split("\n").slice(0, -1);
  }

  /** @param records of DNS; names below `silent.test` it does not answer */
  static async start(records: Readonly<Record<string, Known>>): Promise<Internet> {
    const folder = await mkdtemp(join(tmpdir(), "drawbridge-internet-"));
    await writeFile(join(folder, "records.json"), JSON.stringify({ resolver, machines, records }));
    await writeFile(join(folder, "arrivals"), "");
    await mkdir(join(folder, "files"));
    const names = Object.keys(records).filter((name) => /^[a-z0-9-]+\.test$/.test(name));
    const inside = `
      echo $$ > "$1/ready"
      while ! ip link show inet1 >/dev/null 2>&1; do sleep 0.05; done
      ip link set lo up
      for address in ${[resolver, ...machines, spareMachine].join(" ")}; do ip address add "$address/24" dev inet1; done
      ip link set inet1 up
      ip route add default via 198.51.100.1
      openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=ok.test \\
        -addext "subjectAltName=${names.map((name) => `DNS:${name}`).join()}" -keyout "$1/key.pem" -out "$1/cert.pem" 2>/dev/null
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
