/** A gateway whose containers sleep and wake, and containers behind it. */
import type { DevContainerArgs, SshGatewayArgs, SshGatewayIdleArgs } from "@drawbridge-iac/drawbridge";
import type { Resource } from "@pulumi/pulumi";
import { imageRef } from "../../../packages/lab/src/images/index.ts";
import {
  apiServerAddresses,
  eventually,
  found,
  gatewayStats,
  getObject,
  kubectl,
  Laptop,
  type Outcome,
} from "../../../scripts/lib/lab/lab.ts";
import { byGateway, testGateway, testNamespace } from "../lab/cluster.ts";
import { processesWith } from "../lab/processes.ts";
import { type ContainerArgs, LaptopStack } from "./laptop-stack.ts";

type Containers = Readonly<Record<string, ContainerArgs>>;

/** Sleeps by hand alone, so that nothing sleeps while it is looked at. */
export const byHand = { stopAfterSeconds: 3600, silentSessionSeconds: 43_200 } as const;
export const quickStop = { stopWarningSeconds: 4, pod: { terminationGracePeriodSeconds: 10 } };

interface Options {
  readonly idle?: Partial<SshGatewayIdleArgs>;
  readonly gateway?: Partial<SshGatewayArgs>;
  /** Makes what the gateway needs before it. */
  readonly before?: () => Resource[];
  /** Makes what containers need beside the gateway, and says what each gets of it. */
  readonly containers?: () => {
    readonly of: () => Partial<DevContainerArgs>;
    readonly outputs: Readonly<Record<string, unknown>>;
  };
}

/** Counters of the proxy that move when a listener is changed. */
const listenerCounters = [
  "listener_manager_listener_modified",
  "listener_manager_listener_in_place_updated",
  "listener_manager_total_filter_chains_draining",
];

export class IdleStack extends LaptopStack {
  readonly gatewayName: string;
  readonly options: Options;
  address = "";
  containers: Containers = {};
  /** Outputs of what stands beside the gateway. */
  further: Readonly<Record<string, unknown>> = {};
  #apiServer: Awaited<ReturnType<typeof apiServerAddresses>> = [];

  private constructor(team: string, laptop: Laptop, options: Options) {
    super(team, laptop);
    this.gatewayName = team.replace(/^team-/, "gw-");
    this.options = options;
  }

  static async create(team: string, options: Options = {}): Promise<IdleStack> {
    const made = new IdleStack(team, await Laptop.create(team), options);
    made.#apiServer = await apiServerAddresses();
    return made.begin();
  }

  protected program() {
    const args = {
      egress: { apiServer: this.#apiServer },
      ...this.options.gateway,
      idle: {
        image: imageRef("programs"),
        periodSeconds: 1,
        wakeQuietSeconds: 0,
        wakesPerHour: 1000,
        ...this.options.idle,
      },
    };
    const gateway = testGateway(this.gatewayName, args, this.options.before?.());
    const namespace = testNamespace(this.team);
    const beside = this.options.containers?.();
    const resources = { requests: { cpu: "5m" }, memory: "96Mi" };
    const made = Object.entries(this.containers).map(([name, args]) => {
      const own = { resources, ...beside?.of(), ...args };
      const access = { ...byGateway(gateway), ...own.access };
      return [name, this.container(name, { ...own, access }, [namespace])] as const;
    });
    const containers = Object.fromEntries(made);
    return { address: gateway.address, containers, further: beside?.outputs ?? {} };
  }

  /** Brings the stack up with these containers, and configures the laptop for them. */
  async up(containers: Containers): Promise<LaptopStack["outputs"]> {
    this.containers = containers;
    const { outputs } = await this.bringUp();
    this.address = outputs.address?.value as string;
    this.further = outputs.further?.value as Record<string, unknown>;
    return this.outputs;
  }

  /** The first login, which may have to wait for its route. */
  async login(name: string, seconds = 120): Promise<void> {
    await eventually(
      `a login to ${name}`,
      async () => (await this.laptop.ssh([name, "true"], { timeoutSeconds: 90 })).code === 0,
      seconds,
    );
  }

  /** Tries once to log in, which may wake the container. */
  wake(name: string, command = "true", timeoutSeconds = 120): Promise<Outcome> {
    return this.laptop.ssh([name, command], { timeoutSeconds });
  }

  scale(name: string, to: number): Promise<string> {
    return kubectl(["-n", this.team, "scale", "statefulset", name, `--replicas=${to}`]);
  }

  async replicas(name: string): Promise<number> {
    const set = await getObject<{ spec: { replicas: number } }>(["-n", this.team, "statefulset", name]);
    return set.spec.replicas;
  }

  podGone(name: string): Promise<boolean> {
    const pod = ["-n", this.team, "get", "pod", `${name}-0`, "--ignore-not-found"];
    return eventually(`the end of ${name}-0`, async () => (await kubectl(pod)) === "", 120);
  }

  /** Whether the activator answers for it. */
  async hasSlice(name: string): Promise<boolean> {
    const slice = ["endpointslice", `${name}-asleep`, "--ignore-not-found"];
    return (await kubectl(["-n", this.team, "get", ...slice])) !== "";
  }

  /** Puts containers to sleep; returns when the activator answers in their place. */
  async putToSleep(...names: readonly string[]): Promise<void> {
    for (const name of names) await this.scale(name, 0);
    for (const name of names) {
      await this.podGone(name);
      await eventually(`the slice of ${name}`, () => this.hasSlice(name));
    }
    // What the gateway knows is a moment behind.
    await new Promise((resolve) => setTimeout(resolve, 700));
  }

  listenerCounters(): Promise<Record<string, number>> {
    const selector = `app.kubernetes.io/component=ssh-gateway,app.kubernetes.io/instance=${this.gatewayName}`;
    return gatewayStats(this.gatewayName, selector, listenerCounters);
  }

  /** What the culler says of it. */
  async said(name: string): Promise<{ reason: string; message: string }> {
    return getObject(["-n", this.team, "event", `${name}.drawbridge-culler`]);
  }

  /** The log lines of the culler, or of all activators. */
  async log(role: "culler" | "activator"): Promise<Record<string, unknown>[]> {
    const of = ["-l", `app.kubernetes.io/component=${role}`];
    const text = await kubectl(["-n", this.gatewayName, "logs", ...of, "--tail=-1"]);
    return text
      .split("\n")
      .filter((line) => line.startsWith("{"))
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  }

  /** Kills the culler, or every activator, without a warning; returns when they run again. */
  async kill(role: "culler" | "activator"): Promise<void> {
    const command = role === "culler" ? "cull" : "activate";
    const words = [command, `--gateway=${this.gatewayName}/${this.gatewayName}`];
    const before = processesWith(words);
    if (before.length === 0) throw new Error(`no ${role} of ${this.gatewayName} runs`);
    const restarts = (await this.#pods(role)).restarts;
    for (const pid of before) process.kill(pid, "SIGKILL");
    await eventually(`another ${role}`, async () => {
      const now = processesWith(words);
      return now.length > 0 && now.every((pid) => !before.includes(pid));
    });
    // Not by the Deployment, which goes on for a moment as if nothing had happened.
    const isBack = async () => {
      const now = await this.#pods(role);
      return now.restarts >= restarts + before.length && now.ready;
    };
    await eventually(`the ${role} to be ready again`, isBack, 120);
  }

  async #pods(role: "culler" | "activator") {
    type Pod = { status: { containerStatuses?: { restartCount: number; ready: boolean }[] } };
    const pods = await found<Pod>(this.gatewayName, "pods", `app.kubernetes.io/component=${role}`);
    const programs = pods.map(({ status }) => status.containerStatuses?.[0]);
    return {
      restarts: programs.reduce((sum, one) => sum + (one?.restartCount ?? 0), 0),
      ready: programs.length > 0 && programs.every((one) => one?.ready === true),
    };
  }

  /** The activator's pod that leads, and the others. */
  async activators(): Promise<{ leader: string; others: string[] }> {
    const lease = ["-n", this.gatewayName, "lease", `${this.gatewayName}-activator`];
    const { spec } = await getObject<{ spec: { holderIdentity: string } }>(lease);
    type Pod = { metadata: { name: string; deletionTimestamp?: string } };
    const pods = await found<Pod>(this.gatewayName, "pods", "app.kubernetes.io/component=activator");
    // One that goes may stay for a while, with the sessions that it has.
    const names = pods
      .filter(({ metadata }) => !metadata.deletionTimestamp)
      .map(({ metadata }) => metadata.name);
    return { leader: spec.holderIdentity, others: names.filter((name) => name !== spec.holderIdentity) };
  }
}
