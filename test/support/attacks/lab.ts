/** The stage of the attacks in a lab: a gateway, a victim's container and the neighbour's, and who attacks. */
import type { DevContainer, SshGateway } from "@drawbridge-iac/drawbridge";
import { imageRef } from "../../../packages/lab/src/images/index.ts";
import { testContainer, testGateway } from "../cluster.ts";
import { testStack } from "../engine.ts";
import { eventually, getObject, kubectl, Laptop } from "../lab.ts";
import { ApiUser } from "./api-user.ts";
import type { Place, Who } from "./attack.ts";
import { accountObjects, accounts, everybody, stage } from "./stage.ts";

export async function apply(items: readonly object[]): Promise<void> {
  const list = JSON.stringify({ apiVersion: "v1", kind: "List", items });
  await kubectl(["apply", "--server-side", "--force-conflicts", "-f", "-"], list);
}

/** Everybody who attacks, each with a token of a service account. */
export async function attackers(): Promise<Readonly<Record<Who, ApiUser>>> {
  const all = everybody.map(async (who) => {
    const token = await kubectl(["-n", accounts, "create", "token", who, "--duration=2h"]);
    return [who, await ApiUser.create(process.env.KUBECONFIG ?? "", token.trim())] as const;
  });
  return Object.fromEntries(await Promise.all(all)) as Record<Who, ApiUser>;
}

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

  static async create(place: Place): Promise<AttackLab> {
    const { gateway, team, victim, bystander } = place;
    await apply(accountObjects);
    await apply(stage(place, {}, imageRef("busybox")));
    const laptop = await Laptop.create("attacked");
    const stack = await testStack(async () => {
      const ssh: SshGateway = testGateway(gateway.name, { ...gateway, createNamespace: false });
      const containers: DevContainer[] = [
        ["box", victim],
        ["own", team],
      ].map(([name, namespace]) =>
        testContainer(name as string, {
          namespace: namespace as string,
          authorizedKeys: [laptop.publicKey],
          access: { gateway: ssh.ref },
          resources: { requests: { cpu: "20m" }, memory: "512Mi" },
        }),
      );
      return {
        address: ssh.address,
        sshConfig: containers.map(({ sshConfig }) => sshConfig),
        knownHosts: containers.map(({ knownHosts }) => knownHosts),
      };
    });
    const { outputs } = await stack.stack.up();
    const texts = (name: string) => (outputs[name]?.value ?? []) as string[];
    await laptop.configure(texts("sshConfig").join("\n"), texts("knownHosts").join(""));
    for (const name of ["box", "own"]) {
      await eventually(
        `the first login to ${name}`,
        async () => (await laptop.ssh([name, "true"])).code === 0,
      );
    }
    const users = await attackers();
    return new AttackLab(place, laptop, users, outputs.address?.value as string, async () => {
      for (const user of Object.values(users)) user.close();
      await stack.stack.destroy();
      await stack.removeState();
      const namespaces = [gateway.namespace, team, victim, bystander, accounts];
      await kubectl(["delete", "namespace", ...namespaces, "--ignore-not-found", "--wait=false"]);
      await kubectl(["delete", "clusterrolebinding", `${accounts}-platform`, "--ignore-not-found"]);
      await laptop.remove();
    });
  }

  remove(): Promise<void> {
    return this.#remove();
  }
}

interface Dump {
  readonly configs: readonly Record<string, unknown>[];
}

/** Envoy's whole configuration in each of the gateway's pods, endpoints among it. */
export async function configDumps({ gateway }: Place): Promise<Dump[]> {
  const selector = `app.kubernetes.io/instance=${gateway.name}`;
  const pods = await getObject<{ items: { metadata: { name: string } }[] }>([
    "-n",
    gateway.namespace,
    "pods",
    "-l",
    selector,
  ]);
  return Promise.all(
    pods.items.map(async ({ metadata: { name } }) => {
      const ask = ["pilot-agent", "request", "GET", "config_dump?include_eds"];
      const said = await kubectl(["-n", gateway.namespace, "exec", name, "--", ...ask]);
      // pilot-agent may log a line before.
      return JSON.parse(said.slice(said.search(/^\{/m))) as Dump;
    }),
  );
}

/** Every value of a key, wherever it stands. */
export function valuesOf(key: string, value: unknown): unknown[] {
  if (Array.isArray(value)) return value.flatMap((inner) => valuesOf(key, inner));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [
    ...(name === key ? [inner] : []),
    ...valuesOf(key, inner),
  ]);
}

const ofType = ({ configs }: Dump, end: string) => configs.filter((one) => `${one["@type"]}`.endsWith(end));

/** Clusters that a route names. */
export function routedClusters(dump: Dump): string[] {
  const names = ["RoutesConfigDump", "ListenersConfigDump"].flatMap((type) =>
    valuesOf("cluster", ofType(dump, type)),
  );
  return [...new Set(names.filter((name) => typeof name === "string"))].sort();
}

/** `address:port` of every endpoint of a cluster. */
export function endpointsIn(dump: Dump, cluster: string): string[] {
  const loads = valuesOf("endpoint_config", ofType(dump, "EndpointsConfigDump")) as {
    cluster_name: string;
    endpoints?: unknown;
  }[];
  const own = loads.filter(({ cluster_name }) => cluster_name === cluster);
  const addresses = valuesOf("address", own) as {
    socket_address?: { address: string; port_value: number };
  }[];
  return addresses.flatMap(({ socket_address: socket }) =>
    socket === undefined ? [] : [`${socket.address}:${socket.port_value}`],
  );
}
