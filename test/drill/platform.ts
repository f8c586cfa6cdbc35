/**
 * What a drill is run against, on three nodes: a gateway of two proxies, three teams with sessions, an frp server that
 * one of them is reached through as well, and a storage of another.
 */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { SshGatewayRefArgs } from "@drawbridge-iac/drawbridge";
import { labLayout } from "@drawbridge-iac/lab";
import type { Resource } from "@pulumi/pulumi";
import { imageRef } from "../../packages/lab/src/images/index.ts";
import { testContainer, testGateway, testNamespace } from "../support/cluster.ts";
import { testStack } from "../support/engine.ts";
import { testFrpServer } from "../support/frp-stack.ts";
import { eventually, kubectl, Laptop } from "../support/lab.ts";
import { lab } from "../support/nodes.ts";
import { testAccess, testProxy, testStorage, writer } from "../support/storage.ts";
import { knockingFromTheStart } from "./invariants/walls.ts";
import { repair } from "./repair.ts";
import {
  doors,
  evictableTeam,
  frpServer,
  frpTeam,
  gateway,
  knockingTeam,
  proxies,
  storage,
  storageProxy,
  storageTeam,
  type Team,
  teams,
} from "./teams.ts";

const movable = { storageClassName: "network-disk" };

/** sshd as it comes into an image that knows nothing of it. */
const beside = { mode: "injected", image: imageRef("sshd-bundle") } as const;

export interface Platform {
  readonly laptop: Laptop;
  /** The gateway's. */
  readonly address: string;
  /** Where the storage is written and read, see `writer`. */
  readonly storageUrl: string;
  close(): Promise<void>;
}

/**
 * Makes it all and waits until each door lets somebody in.
 * @param kept whether it stays when it is closed, for a later drill in the same lab, which then takes it up
 */
export async function makePlatform({ kept }: { kept: boolean }): Promise<Platform> {
  const folder = join(labLayout(lab).root, "drill");
  const backend = join(folder, "state");
  if (kept) await mkdir(backend, { recursive: true });
  const laptop = await Laptop.create("drill", kept ? join(folder, "laptop") : undefined);
  const stack = await testStack(async () => program(laptop.publicKey), kept ? { backend } : {});
  const end = () => (kept ? Promise.resolve() : close(laptop, stack));
  try {
    if (kept) {
      // The drill before may have been killed at any moment.
      await stack.stack.cancel();
      await repair();
    }
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
        ...(team === knockingTeam ? { ssh: beside, command: [...knockingFromTheStart] } : {}),
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
  await kubectl(["delete", "namespace", ...teams, "--ignore-not-found"]);
  await Promise.all([stack.removeState(), laptop.remove()]);
}
