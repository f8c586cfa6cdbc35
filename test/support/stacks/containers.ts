/** A gateway, a team's namespace and containers in it, with a laptop that knows the stack's outputs. */

import { spawn } from "node:child_process";
import type { DevContainerArgs, SshGateway } from "@drawbridge-iac/drawbridge";
import { testStack } from "../engine/engine.ts";
import { freePort } from "../free-port.ts";
import {
  byGateway,
  endStack,
  podNetwork,
  testContainer,
  testGateway,
  testNamespace,
} from "../lab/cluster.ts";
import { eventually, getObject, kubectl, Laptop, type Outcome, run } from "../lab/lab.ts";

type Args = Omit<Partial<DevContainerArgs>, "namespace">;

/** Arguments by container name; `ssh.mode` none gets no gateway. A function makes resources beside the container. */
export type Containers = Record<string, Args | (() => Args)>;

/** What one output holds for each container, by its name. */
export type Outputs = Record<string, Record<string, string>>;

interface StackOptions {
  readonly env?: Record<string, string>;
  readonly namespaceExists?: boolean;
  readonly gateway?: (name: string) => SshGateway;
}

/** A stack of containers for one test file. */
export class ContainerStack {
  readonly team: string;
  readonly laptop: Laptop;
  outputs: Outputs = {};
  containers: Containers = {};
  readonly #stack: Awaited<ReturnType<typeof testStack>>;

  private constructor(team: string, laptop: Laptop, stack: Awaited<ReturnType<typeof testStack>>) {
    this.team = team;
    this.laptop = laptop;
    this.#stack = stack;
  }

  /**
   * Nothing is made before the first `up`. `env` is for the engine and the provider; the namespace is the stack's unless a
   * platform has made it already, and the gateway one as most tests need it.
   */
  static async create(
    team: string,
    gatewayName: string,
    { env = {}, namespaceExists = false, gateway = testGateway }: StackOptions = {},
  ): Promise<ContainerStack> {
    const laptop = await Laptop.create(team);
    const stack = await testStack(async () => program(self, gateway(gatewayName), namespaceExists), { env });
    const self = new ContainerStack(team, laptop, stack);
    // The file before this one may be this one in another mode, whose namespace is still going.
    if (!namespaceExists) await kubectl(["wait", "--for=delete", `namespace/${team}`, "--timeout=100s"]);
    return self;
  }

  /** Brings the stack to `containers` and tells the laptop; returns what changed, as counts by operation. */
  async up(containers: Containers, options: { refresh?: boolean } = {}): Promise<Record<string, number>> {
    this.containers = containers;
    const result = await this.#stack.stack.up(options);
    this.outputs = result.outputs.containers?.value as Outputs;
    await this.#configure();
    return { ...result.summary.resourceChanges };
  }

  /** An `up` that is stopped by hand as soon as something has come; returns how it failed. */
  async stopped(containers: Containers, what: string, check: () => Promise<boolean>): Promise<string> {
    this.containers = containers;
    const hand = new AbortController();
    const failed = this.#stack.stack.up({ signal: hand.signal }).then(
      () => "it did not fail",
      (error: Error) => error.message,
    );
    await eventually(what, check);
    hand.abort();
    return failed;
  }

  /** What another `up` would do, by operation. */
  async preview(): Promise<string[]> {
    return Object.keys((await this.#stack.stack.preview({ refresh: true })).changeSummary);
  }

  async destroy(): Promise<void> {
    await this.#stack.stack.destroy();
  }

  /** Runs a command in a container by ssh, waiting for the first route to it. */
  ssh(name: string, command: string): Promise<Outcome> {
    return this.laptop.login(name, command);
  }

  /** Its standard output, or what went wrong. */
  async output(name: string, command: string): Promise<string> {
    const { code, stdout, stderr } = await this.ssh(name, command);
    return code === 0 ? stdout : `code ${code}: ${stdout}${stderr}`;
  }

  async pod<T>(name: string): Promise<T> {
    return getObject<T>(["-n", this.team, "pod", `${name}-0`]);
  }

  /** Deletes the pod and waits until its successor is ready. */
  async restart(name: string): Promise<void> {
    await kubectl(["-n", this.team, "delete", "pod", `${name}-0`, "--wait=true"]);
    await this.ready(name);
  }

  /** What the pod's condition says: "True", "False" or "Unknown"; undefined before there is one. */
  async readiness(name: string): Promise<string | undefined> {
    const pod = await this.pod<{ status: { conditions?: { type: string; status: string }[] } }>(name);
    return pod.status.conditions?.find(({ type }) => type === "Ready")?.status;
  }

  async ready(name: string): Promise<void> {
    await eventually(`pod ${name}-0`, async () => (await this.readiness(name)) === "True", 120);
  }

  /** Everything the stack made and retained goes. */
  async close(): Promise<void> {
    await endStack(this.#stack, [this.team], this.laptop);
  }

  async #configure(): Promise<void> {
    const all = Object.values(this.outputs);
    const text = (field: string) => all.map((outputs) => outputs[field] ?? "").join("\n");
    await this.laptop.configure(text("sshConfig"), text("knownHosts"));
  }
}

async function program(self: ContainerStack, gateway: SshGateway, namespaceExists: boolean) {
  const namespaces = namespaceExists ? [] : [testNamespace(self.team, [podNetwork])];
  const made = Object.entries(self.containers).map(([name, given]) => {
    const args = typeof given === "function" ? given() : given;
    const way = args.ssh?.mode === "none" ? {} : byGateway(gateway);
    const keys = { namespace: self.team, authorizedKeys: [self.laptop.publicKey] };
    const { sshConfig, knownHosts, url, hostPublicKey, homeClaim, status } = testContainer(
      name,
      { ...keys, ...args, access: { ...way, ...args.access } },
      namespaces,
    );
    const outputs = { sshConfig, knownHosts, url, hostPublicKey, homeClaim, phase: status.phase };
    return [name, outputs] as const;
  });
  return { address: gateway.address, containers: Object.fromEntries(made) };
}

/** The outcome of `curl` on the laptop, through the gateway as its CONNECT proxy. */
export function curlThrough(proxy: string, url: string): Promise<Outcome> {
  return run("curl", ["-sS", "--max-time", "10", "--proxytunnel", "-x", proxy, url]);
}

/** The outcome of `curl` from inside a container, by `ssh -D`. */
export async function curlInside(laptop: Laptop, name: string, url: string): Promise<Outcome> {
  const port = await freePort();
  const tunnel = spawn("ssh", ["-F", laptop.configFile, "-N", "-D", String(port), name], {
    env: { ...process.env, ...laptop.env },
    stdio: "ignore",
  });
  try {
    await eventually(
      "the tunnel",
      async () => (await run("nc", ["-z", "127.0.0.1", String(port)])).code === 0,
    );
    return await run("curl", ["-sS", "--max-time", "15", "-x", `socks5h://127.0.0.1:${port}`, url]);
  } finally {
    tunnel.kill();
  }
}
