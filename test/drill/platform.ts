/**
 * What a drill is run against, on three nodes: a gateway of two proxies, three teams with sessions, an frp server that
 * one of them is reached through as well, and a storage of another.
 */
import type { SshGatewayRefArgs } from "@drawbridge-iac/drawbridge";
import type { Resource } from "@pulumi/pulumi";
import { imageRef } from "../../packages/lab/src/images/index.ts";
import { testContainer, testDomain, testGateway, testNamespace } from "../support/cluster.ts";
import { testStack } from "../support/engine.ts";
import { testFrpServer } from "../support/frp-stack.ts";
import { eventually, kubectl, Laptop } from "../support/lab.ts";
import { testAccess, testProxy, testStorage, writer } from "../support/storage.ts";

export const gateway = "gw-drill";
export const frpServer = "frp-drill";
export const storageProxy = "files-drill";
/** A team has one container, of its own name. */
export const teams = ["drill-a", "drill-b", "drill-c"] as const;
export type Team = (typeof teams)[number];
/** Whose container is reached through frp, too. */
export const frpTeam: Team = "drill-a";
/** Whose namespace has the storage. */
export const storageTeam: Team = "drill-b";
export const storage = "files";
/** Whose container may be evicted; nobody else's may. */
export const evictableTeam: Team = "drill-c";

/** What one types after `ssh`: one way into one container. */
export interface Door {
  readonly host: string;
  readonly team: Team;
  readonly way: "gateway" | "frp";
}

/** Every declared way into every container. */
export const doors: readonly Door[] = teams.flatMap((team): Door[] =>
  team === frpTeam
    ? (["gateway", "frp"] as const).map((way) => ({ host: `${team}.${way}`, team, way }))
    : [{ host: team, team, way: "gateway" }],
);

/** Two proxies, each on a node of its own where that is possible. */
export const proxies = 2;

const movable = { storageClassName: "network-disk" };

export interface Platform {
  readonly laptop: Laptop;
  /** The gateway's. */
  readonly address: string;
  /** Where the storage is written and read, see `writer`. */
  readonly storageUrl: string;
  close(): Promise<void>;
}

/** Makes it all and waits until each door lets somebody in. */
export async function makePlatform(): Promise<Platform> {
  const laptop = await Laptop.create("drill");
  const stack = await testStack(async () => program(laptop.publicKey));
  const end = () => close(laptop, stack);
  try {
    const { outputs } = await stack.stack.up();
    const text = (name: string) => outputs[name]?.value as string;
    await laptop.configure(text("sshConfig"), text("knownHosts"));
    for (const { host } of doors) {
      await eventually(`a login to ${host}`, async () => (await laptop.ssh([host, "true"])).code === 0, 120);
    }
    return { laptop, address: text("address"), storageUrl: text("storageUrl"), close: end };
  } catch (error) {
    await end();
    throw error;
  }
}

async function program(publicKey: string) {
  const { ref, address } = testGateway(gateway, { replicas: proxies });
  const frp = testFrpServer(frpServer);
  const namespaces = Object.fromEntries(teams.map((team) => [team, testNamespace(team)])) as Record<
    Team,
    Resource
  >;
  const made = teams.map((team) =>
    testContainer(
      team,
      {
        namespace: team,
        authorizedKeys: [publicKey],
        access: {
          gateway: ref as SshGatewayRefArgs,
          ...(team === frpTeam ? { frp: { ...frp.ref, image: imageRef("frpc") } } : {}),
        },
        home: { size: "1Gi", ...movable },
        stop: { warningSeconds: 0, graceSeconds: 5 },
        eviction: team === evictableTeam ? "allowed" : "never",
        wait: true,
      },
      [namespaces[team]],
    ),
  );
  const proxy = testProxy(storageProxy);
  const browse = testAccess(proxy, { allow: ["upload", "delete"], credentials: [writer] });
  const files = testStorage(storage, { namespace: storageTeam, size: "1Gi", ...movable, browse }, [
    namespaces[storageTeam],
  ]);
  const { all } = await import("@pulumi/pulumi");
  const lines = (texts: Parameters<typeof all>[0]) =>
    all(texts).apply((each) => (each as string[]).join("\n"));
  return {
    address,
    storageUrl: files.url,
    sshConfig: lines(made.map(({ sshConfig }) => sshConfig)),
    knownHosts: lines(made.map(({ knownHosts }) => knownHosts)),
  };
}

async function close(laptop: Laptop, stack: Awaited<ReturnType<typeof testStack>>): Promise<void> {
  await stack.stack.destroy();
  await kubectl(["delete", "namespace", ...teams, "--ignore-not-found", "--wait=false"]);
  await Promise.all([stack.removeState(), laptop.remove()]);
}

/** How a CONNECT names a port of a team's container. */
export const authority = (team: string, port: number) => `${team}.${team}.${testDomain}:${port}`;
