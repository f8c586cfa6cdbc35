/** An frp server, a team's namespace and containers behind it, with a laptop that knows the stack's outputs. */
import { type DevContainerArgs, FrpServer, type FrpServerArgs } from "@drawbridge-iac/drawbridge";
import { imageRef } from "../../../packages/lab/src/images/index.ts";
import { testStack } from "../engine/engine.ts";
import { byGateway, endStack, noLimits, testContainer, testGateway, testNamespace } from "../lab/cluster.ts";
import { Laptop, type Outcome } from "../lab/lab.ts";

export const frpSuffix = "ssh.example.com";
export const frpSeed = "only-for-tests-frp-0123456789abcdef0123456789";

/** A server of the lab's images. */
export function testFrpServer(name: string, args: Partial<FrpServerArgs> = {}): FrpServer {
  return new FrpServer(name, {
    domain: frpSuffix,
    seed: frpSeed,
    image: imageRef("frps"),
    authorizer: { image: imageRef("programs") },
    // Whichever cluster the tests run on.
    egress: { apiServer: [{ cidr: "0.0.0.0/0" }] },
    resources: { requests: { cpu: "20m", memory: "32Mi" } },
    ...(args.connectTls === undefined ? { connectionLimits: noLimits } : {}),
    loadBalancer: { preset: "generic" },
    ...args,
  });
}

/** The way in through a FrpServer of ours. */
export const byFrp = ({ ref, connectAddress }: FrpServer) => ({
  server: ref,
  connectAddress,
  image: imageRef("frpc"),
});

/** What one test file ships; `set` changes it before the next `up`. */
export interface FrpShipment {
  /** Arguments by container name. */
  readonly containers: Readonly<Record<string, Partial<DevContainerArgs>>>;
  readonly server?: Partial<FrpServerArgs>;
  /** Name of a gateway that the containers are reached through as well. */
  readonly gateway?: string;
}

type EngineStack = Awaited<ReturnType<typeof testStack>>;

export class FrpStack {
  readonly team: string;
  readonly server: string;
  readonly laptop: Laptop;
  connectAddress = "";
  /** Outputs by container and name. */
  outputs: Record<string, Record<string, string>> = {};
  #shipment: FrpShipment = { containers: {} };
  readonly #stack: EngineStack;

  private constructor(team: string, server: string, laptop: Laptop, stack: EngineStack) {
    this.team = team;
    this.server = server;
    this.laptop = laptop;
    this.#stack = stack;
  }

  static async create(team: string, server: string): Promise<FrpStack> {
    const laptop = await Laptop.create(team);
    const stack = await testStack(async () => self.#program());
    const self = new FrpStack(team, server, laptop, stack);
    return self;
  }

  /** Ships it and tells the laptop; returns what changed, as counts by operation. */
  async up(shipment: FrpShipment): Promise<Record<string, number>> {
    this.#shipment = shipment;
    const result = await this.#stack.stack.up();
    this.connectAddress = result.outputs.connectAddress?.value as string;
    this.outputs = result.outputs.containers?.value as Record<string, Record<string, string>>;
    const text = (field: string) => Object.values(this.outputs).map((one) => one[field] ?? "");
    await this.laptop.configure(text("sshConfig").join("\n"), text("knownHosts").join(""));
    return { ...result.summary.resourceChanges };
  }

  /** Runs a command by ssh, through frp unless the host says otherwise, once the way is open. */
  ssh(host: string, command: string): Promise<Outcome> {
    return this.laptop.login(host, command);
  }

  /** Everything the stack made and retained goes. */
  async close(): Promise<void> {
    await endStack(this.#stack, [this.team, this.server], this.laptop);
  }

  #program() {
    const { containers, server, gateway } = this.#shipment;
    const frp = testFrpServer(this.server, server);
    const namespace = testNamespace(this.team);
    const way = gateway === undefined ? {} : byGateway(testGateway(gateway));
    const made = Object.entries(containers).map(([name, { access, ...args }]) => {
      const { sshConfig, knownHosts, frpCommand, sshTarget } = testContainer(
        name,
        {
          namespace: this.team,
          authorizedKeys: [this.laptop.publicKey],
          ...args,
          access: { ...way, ...access, frp: { ...byFrp(frp), ...access?.frp } },
        },
        [namespace],
      );
      return [name, { sshConfig, knownHosts, frpCommand, sshTarget }] as const;
    });
    return { connectAddress: frp.connectAddress, containers: Object.fromEntries(made) };
  }
}
