/** Containers in a team's namespace, with a laptop that knows what their stack gives out: one for a test file. */
import type { DevContainer, DevContainerArgs } from "@drawbridge-iac/drawbridge";
import type { Resource } from "@pulumi/pulumi";
import { testStack } from "../../../scripts/lib/engine/engine.ts";
import type { Laptop, Outcome } from "../../../scripts/lib/lab/lab.ts";
import { endStack, testContainer } from "../lab/cluster.ts";

export type ContainerArgs = Omit<Partial<DevContainerArgs>, "namespace">;

const texts = [
  "sshConfig",
  "knownHosts",
  "hostName",
  "hostPublicKey",
  "url",
  "homeClaimName",
  "frpCommand",
] as const;

/** What is known of a container once it is up. */
interface ContainerOutputs extends Record<(typeof texts)[number] | "phase", string> {
  readonly sshTarget: object;
}

type Made = Awaited<ReturnType<typeof testStack>>;

export abstract class LaptopStack {
  readonly team: string;
  readonly laptop: Laptop;
  stack!: Made;
  outputs: Readonly<Record<string, ContainerOutputs>> = {};

  protected constructor(team: string, laptop: Laptop) {
    this.team = team;
    this.laptop = laptop;
  }

  /** What an `up` makes: the containers by their names, and outputs of what stands beside them. */
  protected abstract program(): { containers: Record<string, DevContainer>; [output: string]: unknown };

  /** Nothing is made before the first `up`. @param env for the engine and the provider */
  protected async begin(env: Record<string, string> = {}): Promise<this> {
    this.stack = await testStack(
      async () => {
        const { containers, ...beside } = this.program();
        const made = Object.entries(containers).map(([name, one]) => [name, outputsOf(one)]);
        return { ...beside, containers: Object.fromEntries(made) };
      },
      { env },
    );
    return this;
  }

  /** A small container to which the laptop has a key. */
  protected container(name: string, args: ContainerArgs, dependsOn: Resource[]): DevContainer {
    const keys = { namespace: this.team, authorizedKeys: [this.laptop.publicKey] };
    return testContainer(name, { ...keys, ...args }, dependsOn);
  }

  /** Brings the program up and tells the laptop. */
  protected async bringUp(options: { refresh?: boolean } = {}) {
    const result = await this.stack.stack.up(options);
    this.outputs = result.outputs.containers?.value as Record<string, ContainerOutputs>;
    const text = (field: "sshConfig" | "knownHosts") =>
      Object.values(this.outputs)
        .map((outputs) => outputs[field])
        .join("\n");
    await this.laptop.configure(text("sshConfig"), text("knownHosts"));
    return { outputs: result.outputs, changes: { ...result.summary.resourceChanges } };
  }

  /** Runs a command in a container by ssh, once the way to it is open. */
  ssh(name: string, command: string): Promise<Outcome> {
    return this.laptop.login(name, command);
  }

  /** Everything that the stack made and retained goes. */
  async close(): Promise<void> {
    await endStack(this.stack, [this.team], this.laptop);
  }
}

function outputsOf(container: DevContainer) {
  const { sshTarget, status } = container;
  const given = Object.fromEntries(texts.map((name) => [name, container[name]]));
  return { ...given, sshTarget, phase: status.phase };
}
