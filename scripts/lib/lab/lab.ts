/** The laptop's and the operator's side in lab tests. These tests run inside the lab's network. */
import { execFile, spawn } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { metricsIn } from "./metrics.ts";

/** The outcome of a program, whatever its exit code. */
export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program to its end; a time-out kills it and reports code 124. */
export async function run(
  program: string,
  args: readonly string[],
  options: { cwd?: string; env?: Record<string, string>; input?: string; timeoutSeconds?: number } = {},
): Promise<Outcome> {
  const child = promisify(execFile)(program, [...args], {
    cwd: options.cwd,
    env: { ...process.env, ...options.env },
    timeout: (options.timeoutSeconds ?? 60) * 1000,
    killSignal: "SIGKILL",
    maxBuffer: 64 * 1024 * 1024,
  });
  // A program that ends before it has read everything says why itself; a broken pipe would only hide that.
  child.child.stdin?.on("error", () => {});
  child.child.stdin?.end(options.input ?? "");
  try {
    return { code: 0, ...(await child) };
  } catch (error) {
    const failed = error as { code?: number | string; killed?: boolean; stdout?: string; stderr?: string };
    const code = typeof failed.code === "number" ? failed.code : failed.killed ? 124 : 127;
    return { code, stdout: failed.stdout ?? "", stderr: failed.stderr ?? String(error) };
  }
}

/** The outcome of a program that must not fail; throws all that it said if it did. */
export async function expectSuccess(outcome: Promise<Outcome>, command = "the program"): Promise<Outcome> {
  const { code, stdout, stderr } = await outcome;
  if (code !== 0) throw new Error(`${command}\nended with ${code}:\n${stdout}${stderr}`);
  return { code, stdout, stderr };
}

/** What a program prints; throws all that it said if it fails. */
export async function must(...[program, args, options]: Parameters<typeof run>): Promise<string> {
  return (await expectSuccess(run(program, args, options), [program, ...args].join(" "))).stdout;
}

/** Runs lines as if typed in a shell, and returns what they print; throws all output if one of them fails. */
export async function typed(lines: string, options: Parameters<typeof run>[2] = {}): Promise<string> {
  return (await expectSuccess(shell(lines, options), lines)).stdout;
}

/** The same, however it ends. */
export const shell = (lines: string, options: Parameters<typeof run>[2] = {}): Promise<Outcome> =>
  run("bash", ["--norc", "-euo", "pipefail", "-c", lines], options);

/** Runs kubectl and returns its output; fails the test with kubectl's message otherwise. */
export async function kubectl(args: readonly string[], input?: string): Promise<string> {
  const outcome = await run("kubectl", args, {
    ...(input === undefined ? {} : { input }),
    timeoutSeconds: 120,
  });
  if (outcome.code !== 0) throw new Error(`kubectl ${args.join(" ")}: ${outcome.stderr.trim()}`);
  return outcome.stdout;
}

/** Objects as one text, which kubectl reads. */
export const listOf = (items: readonly object[]): string =>
  JSON.stringify({ apiVersion: "v1", kind: "List", items });

/** Applies objects; returns what kubectl says of them. */
export const apply = (...items: readonly object[]): Promise<string> =>
  kubectl(["apply", "-f", "-"], listOf(items));

/** The same by the API server, even those that another has set. */
export const applyByForce = (...items: readonly object[]): Promise<string> =>
  kubectl(["apply", "--server-side", "--force-conflicts", "-f", "-"], listOf(items));

/** The object as the API server has it. */
export async function getObject<T = Record<string, unknown>>(args: readonly string[]): Promise<T> {
  return JSON.parse(await kubectl(["get", "-o", "json", ...args])) as T;
}

/** The objects of a kind that a label selector finds in a namespace. */
export async function found<T>(namespace: string, kind: string, selector: string): Promise<T[]> {
  return (await getObject<{ items: T[] }>(["-n", namespace, kind, "-l", selector])).items;
}

/** The names of the pods that a label selector finds. */
export async function podNames(namespace: string, selector: string): Promise<string[]> {
  const pods = await found<{ metadata: { name: string } }>(namespace, "pods", selector);
  return pods.map(({ metadata }) => metadata.name);
}

/** Where the API server is behind its Service, as `egress.apiServer` of an FrpServer names it. */
export async function apiServerAddresses(): Promise<{ cidr: string; ports: number[] }[]> {
  const { subsets } = await getObject<{
    subsets: { addresses: { ip: string }[]; ports: { port: number }[] }[];
  }>(["-n", "default", "endpoints", "kubernetes"]);
  return subsets.flatMap(({ addresses, ports }) =>
    addresses.map(({ ip }) => ({ cidr: `${ip}/32`, ports: ports.map(({ port }) => port) })),
  );
}

/** Polls until `check` returns a value other than undefined or false; fails with the last reason. */
export async function eventually<T>(
  what: string,
  check: () => Promise<T | undefined | false>,
  seconds = 60,
): Promise<T> {
  const end = Date.now() + seconds * 1000;
  let reason = "";
  for (;;) {
    try {
      const value = await check();
      if (value !== undefined && value !== false) return value;
    } catch (error) {
      reason = `: ${(error as Error).message}`;
    }
    if (Date.now() > end) throw new Error(`${what} did not happen within ${seconds} s${reason}`);
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}

/** A laptop: a folder with a fresh key and known_hosts, and nothing of the cluster. */
export class Laptop {
  readonly folder: string;
  readonly publicKey: string;

  private constructor(folder: string, publicKey: string) {
    this.folder = folder;
    this.publicKey = publicKey;
  }

  /** @param at the folder to use, emptied first; a fresh temporary one by default */
  static async create(name = "alice", at?: string): Promise<Laptop> {
    if (at !== undefined) {
      await rm(at, { recursive: true, force: true });
      await mkdir(at, { recursive: true });
    }
    const folder = at ?? (await mkdtemp(join(tmpdir(), `drawbridge-laptop-${name}-`)));
    const key = join(folder, "id_ed25519");
    await must("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-C", name, "-f", key]);
    return new Laptop(folder, (await readFile(`${key}.pub`, "utf8")).trim());
  }

  get keyFile(): string {
    return join(this.folder, "id_ed25519");
  }

  get configFile(): string {
    return join(this.folder, "config");
  }

  /** Writes what the stack's outputs say into this laptop's ssh_config and known_hosts. */
  async configure(sshConfig: string, knownHosts: string): Promise<void> {
    const knownHostsFile = join(this.folder, "known_hosts");
    const own = [
      "Host *",
      `  IdentityFile ${this.keyFile}`,
      "  IdentitiesOnly yes",
      "  BatchMode yes",
      "  StrictHostKeyChecking yes",
      `  UserKnownHostsFile ${knownHostsFile}`,
      "  GlobalKnownHostsFile /dev/null",
      "",
    ].join("\n");
    await writeFile(knownHostsFile, knownHosts);
    await writeFile(this.plainConfigFile, own);
    await writeFile(this.configFile, `${sshConfig}\n${own}`);
  }

  /** Key and known_hosts only, for commands that bring their own ProxyCommand. */
  get plainConfigFile(): string {
    return join(this.folder, "plain_config");
  }

  /** The environment of a laptop: no kubeconfig. */
  get env(): Record<string, string> {
    return { KUBECONFIG: "/nonexistent", HOME: this.folder };
  }

  ssh(args: readonly string[], options: { input?: string; timeoutSeconds?: number } = {}): Promise<Outcome> {
    return run("ssh", ["-F", this.configFile, ...args], { env: this.env, ...options });
  }

  /** Runs a command in a host, once the way to it is open: ssh itself no longer fails. */
  login(host: string, command = "true", seconds = 90): Promise<Outcome> {
    return eventually(
      `a login to ${host}`,
      async () => {
        const outcome = await this.ssh([host, command]);
        if (outcome.code === 255) throw new Error(outcome.stderr.trim());
        return outcome;
      },
      seconds,
    );
  }

  scp(args: readonly string[], timeoutSeconds = 120): Promise<Outcome> {
    return run("scp", ["-F", this.configFile, ...args], { env: this.env, timeoutSeconds });
  }

  /** Opens a session that prints a rising number every `everyMs` and keeps what arrives. */
  openCounter(host: string, everyMs = 100): CounterSession {
    return new CounterSession(this, host, everyMs);
  }

  async remove(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** An open SSH session that counts, so that a lost line or a lost session shows. */
export class CounterSession {
  readonly lines: number[] = [];
  endedAt: number | undefined;
  stderr = "";
  readonly #child;
  readonly #ended: Promise<void>;

  constructor(laptop: Laptop, host: string, everyMs: number) {
    const script = `i=0; while :; do i=$((i+1)); echo $i; sleep ${everyMs / 1000}; done`;
    this.#child = spawn("ssh", ["-F", laptop.configFile, host, script], {
      env: { ...process.env, ...laptop.env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let rest = "";
    this.#child.stdout.on("data", (chunk: Buffer) => {
      const parts = (rest + chunk.toString()).split("\n");
      rest = parts.pop() ?? "";
      this.lines.push(...parts.map(Number));
    });
    this.#child.stderr.on("data", (chunk: Buffer) => {
      this.stderr += chunk.toString();
    });
    this.#ended = new Promise((resolve) => {
      this.#child.once("close", () => {
        this.endedAt = Date.now();
        resolve();
      });
    });
  }

  get alive(): boolean {
    return this.endedAt === undefined;
  }

  /** True when every number from 1 on arrived, in order. */
  get unbroken(): boolean {
    return this.lines.length > 0 && this.lines.every((value, index) => value === index + 1);
  }

  /** Waits for the first `count` lines. */
  async reached(count: number, seconds = 30): Promise<void> {
    await eventually(
      `line ${count} of the session (${this.stderr.trim()})`,
      async () => this.lines.length >= count,
      seconds,
    );
  }

  async close(): Promise<void> {
    this.#child.kill("SIGTERM");
    await this.#ended;
  }
}

/** The gateway's own counters, read from its proxy. */
export async function gatewayStats(
  namespace: string,
  selector: string,
  names: readonly string[],
): Promise<Record<string, number>> {
  const totals = Object.fromEntries(names.map((name) => [name, 0]));
  for (const pod of await podNames(namespace, selector)) {
    const path = `/api/v1/namespaces/${namespace}/pods/${pod}:15090/proxy/stats/prometheus`;
    const sums = metricsIn(await kubectl(["get", "--raw", path]));
    // A counter of something that has not happened yet is left out.
    for (const name of names) totals[name] = (totals[name] ?? 0) + (sums.get(`envoy_${name}`) ?? 0);
  }
  return totals;
}
