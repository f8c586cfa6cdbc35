/** A gateway, and containers behind it. */
import { spawn } from "node:child_process";
import type { SshGateway } from "@drawbridge-iac/drawbridge";
import { freePort } from "../../../scripts/lib/free-port.ts";
import { eventually, getObject, kubectl, Laptop, type Outcome, run } from "../../../scripts/lib/lab/lab.ts";
import { byGateway, podNetwork, testGateway, testNamespace } from "../lab/cluster.ts";
import { type ContainerArgs, LaptopStack } from "./laptop-stack.ts";

/** Arguments by container name; `ssh.mode` none gets no gateway. A function makes resources beside the container. */
export type Containers = Record<string, ContainerArgs | (() => ContainerArgs)>;

interface StackOptions {
  /** Of the engine and the provider. */
  readonly env?: Record<string, string>;
  /** Whether a platform has made the namespace already; it is the stack's otherwise. */
  readonly namespaceExists?: boolean;
  /** @default as most tests need it */
  readonly gateway?: (name: string) => SshGateway;
}

/** A gateway and containers behind it. */
export class ContainerStack extends LaptopStack {
  containers: Containers = {};
  readonly #gatewayName: string;
  readonly #options: StackOptions;

  private constructor(team: string, laptop: Laptop, gatewayName: string, options: StackOptions) {
    super(team, laptop);
    this.#gatewayName = gatewayName;
    this.#options = options;
  }

  static async create(
    team: string,
    gatewayName: string,
    options: StackOptions = {},
  ): Promise<ContainerStack> {
    const stack = new ContainerStack(team, await Laptop.create(team), gatewayName, options);
    // The file before this one may be this one in another mode, whose namespace is still going.
    const gone = ["wait", "--for=delete", `namespace/${team}`, "--timeout=100s"];
    if (options.namespaceExists !== true) await kubectl(gone);
    return stack.begin(options.env);
  }

  protected program() {
    const { gateway: gatewayOf = testGateway, namespaceExists = false } = this.#options;
    const gateway = gatewayOf(this.#gatewayName);
    const namespaces = namespaceExists ? [] : [testNamespace(this.team, [podNetwork])];
    const made = Object.entries(this.containers).map(([name, given]) => {
      const args = typeof given === "function" ? given() : given;
      const way = args.ssh?.mode === "none" ? {} : byGateway(gateway);
      const access = { ...way, ...args.access };
      return [name, this.container(name, { ...args, access }, namespaces)] as const;
    });
    return { address: gateway.address, containers: Object.fromEntries(made) };
  }

  /** Brings the stack to `containers` and tells the laptop; returns what changed, as counts by operation. */
  async up(containers: Containers, options: { refresh?: boolean } = {}): Promise<Record<string, number>> {
    this.containers = containers;
    return (await this.bringUp(options)).changes;
  }

  /** What another `up` would do, by operation. */
  async preview(): Promise<string[]> {
    return Object.keys((await this.stack.stack.preview({ refresh: true })).changeSummary);
  }

  async destroy(): Promise<void> {
    await this.stack.stack.destroy();
  }

  /** What a command in a container prints, or what went wrong. */
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

  async ready(name: string, seconds = 120): Promise<void> {
    await eventually(`pod ${name}-0`, async () => (await this.readiness(name)) === "True", seconds);
  }
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
