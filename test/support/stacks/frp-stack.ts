/** An frp server as tests have it, and containers behind it. */
import { FrpServer, type FrpServerArgs } from "@drawbridge-iac/drawbridge";
import { imageRef } from "../../../packages/lab/src/images/index.ts";
import { Laptop } from "../../../scripts/lib/lab/lab.ts";
import { byGateway, endStack, noLimits, testGateway, testNamespace } from "../lab/cluster.ts";
import { type ContainerArgs, LaptopStack } from "./laptop-stack.ts";

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
export const byFrp = (server: FrpServer) => ({ server, image: imageRef("frpc") });

/** What one test file ships. */
interface FrpShipment {
  /** Arguments by container name. */
  readonly containers: Readonly<Record<string, ContainerArgs>>;
  readonly server?: Partial<FrpServerArgs>;
  /** Name of a gateway that the containers are reached through as well. */
  readonly gateway?: string;
}

/** An frp server and containers behind it. */
export class FrpStack extends LaptopStack {
  readonly server: string;
  connectAddress = "";
  #shipment: FrpShipment = { containers: {} };

  private constructor(team: string, server: string, laptop: Laptop) {
    super(team, laptop);
    this.server = server;
  }

  static async create(team: string, server: string): Promise<FrpStack> {
    return new FrpStack(team, server, await Laptop.create(team)).begin();
  }

  protected program() {
    const { containers, server, gateway } = this.#shipment;
    const frp = testFrpServer(this.server, server);
    const namespace = testNamespace(this.team);
    const way = gateway === undefined ? {} : byGateway(testGateway(gateway));
    const made = Object.entries(containers).map(([name, { access, ...args }]) => {
      const both = { ...way, ...access, frp: { ...byFrp(frp), ...access?.frp } };
      return [name, this.container(name, { ...args, access: both }, [namespace])] as const;
    });
    return { connectAddress: frp.address, containers: Object.fromEntries(made) };
  }

  /** Ships it and tells the laptop; returns what changed, as counts by operation. */
  async up(shipment: FrpShipment): Promise<Record<string, number>> {
    this.#shipment = shipment;
    const { outputs, changes } = await this.bringUp();
    this.connectAddress = outputs.connectAddress?.value as string;
    return changes;
  }

  override async close(): Promise<void> {
    await endStack(this.stack, [this.team, this.server], this.laptop);
  }
}
