/** What a drill is run against: a gateway of two proxies and three teams with sessions, on three nodes. */
import type { SshGatewayRefArgs } from "@drawbridge-iac/drawbridge";
import { testContainer, testDomain, testGateway, testNamespace } from "../support/cluster.ts";
import { testStack } from "../support/engine.ts";
import { eventually, kubectl, Laptop } from "../support/lab.ts";

export const gateway = "gw-drill";
/** A team has one container, of its own name. */
export const teams = ["drill-a", "drill-b", "drill-c"] as const;

/** Two proxies, each on a node of its own where that is possible. */
const proxies = 2;

export interface Platform {
  readonly laptop: Laptop;
  /** The gateway's. */
  readonly address: string;
  close(): Promise<void>;
}

/** Makes it all and waits until each container lets somebody in. */
export async function makePlatform(): Promise<Platform> {
  const laptop = await Laptop.create("drill");
  const stack = await testStack(async () => program(laptop.publicKey));
  const platform = { laptop, address: "", close: () => close(laptop, stack) };
  try {
    const { outputs } = await stack.stack.up();
    await laptop.configure(outputs.sshConfig?.value as string, outputs.knownHosts?.value as string);
    for (const team of teams) {
      await eventually(`a login to ${team}`, async () => (await laptop.ssh([team, "true"])).code === 0, 120);
    }
    return { ...platform, address: outputs.address?.value as string };
  } catch (error) {
    await platform.close();
    throw error;
  }
}

async function program(publicKey: string) {
  const { ref, address } = testGateway(gateway, { replicas: proxies });
  const made = teams.map((team) =>
    testContainer(
      team,
      {
        namespace: team,
        authorizedKeys: [publicKey],
        access: { gateway: ref as SshGatewayRefArgs },
        home: { size: "1Gi", storageClassName: "network-disk" },
        stop: { warningSeconds: 0, graceSeconds: 5 },
        wait: true,
      },
      [testNamespace(team)],
    ),
  );
  const { all } = await import("@pulumi/pulumi");
  const lines = (texts: Parameters<typeof all>[0]) =>
    all(texts).apply((each) => (each as string[]).join("\n"));
  return {
    address,
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
