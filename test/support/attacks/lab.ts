/** The stage of the attacks in a lab: a gateway, a victim's container and the neighbour's, and the attackers. */
import type { ClientLimitsArgs, DevContainer, SshGateway } from "@drawbridge-iac/drawbridge";
import { imageRef } from "../../../packages/lab/src/images/index.ts";
import { testStack } from "../../../scripts/lib/engine/engine.ts";
import { applyByForce, kubectl, Laptop } from "../../../scripts/lib/lab/lab.ts";
import { byGateway, endStack, noLimits, testContainer, testGateway } from "../lab/cluster.ts";
import type { ApiUser } from "./api-user.ts";
import { ownPodLabels, type Place, type Who } from "./attack.ts";
import { usersOf } from "./server.ts";
import { accountObjects, accounts, stage } from "./stage.ts";

/** A gateway, a container `box` of the victim's and one `own` of the neighbour's, to which the laptop has keys. */
export class AttackLab {
  readonly place: Place;
  readonly laptop: Laptop;
  readonly users: Readonly<Record<Who, ApiUser>>;
  readonly address: string;
  readonly #remove: () => Promise<void>;

  private constructor(
    place: Place,
    laptop: Laptop,
    users: Readonly<Record<Who, ApiUser>>,
    address: string,
    remove: () => Promise<void>,
  ) {
    this.place = place;
    this.laptop = laptop;
    this.users = users;
    this.address = address;
    this.#remove = remove;
  }

  /** @param limits of the gateway for each client; by default none */
  static async create(place: Place, limits: ClientLimitsArgs = noLimits): Promise<AttackLab> {
    const { gateway, team, victim, bystander } = place;
    await applyByForce(...accountObjects);
    await applyByForce(...stage(place, {}, imageRef("busybox")));
    const laptop = await Laptop.create("attacked");
    const stack = await testStack(async () => {
      const ssh: SshGateway = testGateway(gateway.name, {
        ...gateway,
        connectionLimits: limits,
        createNamespace: false,
        pod: { labels: ownPodLabels },
      });
      const container = (name: string, namespace: string): DevContainer =>
        testContainer(name, {
          namespace,
          authorizedKeys: [laptop.publicKey],
          access: byGateway(ssh),
          resources: { requests: { cpu: "20m" }, memory: "512Mi" },
        });
      const containers = [container("box", victim), container("own", team)];
      return {
        address: ssh.address,
        sshConfig: containers.map(({ sshConfig }) => sshConfig),
        knownHosts: containers.map(({ knownHosts }) => knownHosts),
      };
    });
    const { outputs } = await stack.stack.up();
    const texts = (name: string) => (outputs[name]?.value ?? []) as string[];
    await laptop.configure(texts("sshConfig").join("\n"), texts("knownHosts").join(""));
    for (const name of ["box", "own"]) await laptop.login(name);
    const users = await usersOf({ kubectl, kubeconfigs: { admin: process.env.KUBECONFIG ?? "" } });
    return new AttackLab(place, laptop, users, outputs.address?.value as string, async () => {
      for (const user of Object.values(users)) user.close();
      await endStack(stack, [gateway.namespace, team, victim, bystander, accounts], laptop);
      await kubectl(["delete", "clusterrolebinding", `${accounts}-platform`, "--ignore-not-found"]);
    });
  }

  remove(): Promise<void> {
    return this.#remove();
  }
}
