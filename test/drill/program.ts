/** What the drill's platform is, as a program of Pulumi's. */
import * as k8s from "@pulumi/kubernetes";
import type { Resource } from "@pulumi/pulumi";
import { all } from "@pulumi/pulumi";
import { imageRef } from "../../packages/lab/src/images/index.ts";
import { byGateway, testContainer, testGateway, testNamespace } from "../support/lab/cluster.ts";
import { byFrp, testFrpServer } from "../support/stacks/frp-stack.ts";
import { testAccess, testProxy, testStorage, writer } from "../support/stacks/storage.ts";
import { knockingFromTheStart } from "./knocking.ts";
import {
  evictableTeam,
  extraContainer,
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

/** What faults change of it. */
export interface Variation {
  /** Public keys that may log in everywhere, too. */
  readonly guests: readonly string[];
  /** Whether there is one container more, beside the evictable team's. */
  readonly extra: boolean;
}

const movable = { storageClassName: "network-disk" };

/** sshd as it comes into an image that knows nothing of it. */
const beside = { mode: "injected", image: imageRef("sshd-bundle") } as const;

const claimOf = (name: string, namespace: string) => ({
  metadata: { name, namespace, annotations: { "pulumi.com/skipAwait": "true" } },
  spec: {
    accessModes: ["ReadWriteOnce"],
    resources: { requests: { storage: "64Mi" } },
    storageClassName: movable.storageClassName,
  },
});

/**
 * @param own the public key that may always log in
 * @param variation what is not as it mostly is
 */
export async function program(own: string, { guests, extra }: Variation) {
  const entrance = testGateway(gateway, { replicas: proxies });
  const way = byGateway(entrance);
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
        authorizedKeys: [own, ...guests],
        access: { ...way, ...(team === frpTeam ? { frp: byFrp(frp) } : {}) },
        home: { size: "1Gi", ...movable },
        pod: {
          stopWarningSeconds: 0,
          terminationGracePeriodSeconds: 5,
          eviction: team === evictableTeam ? "allowed" : "never",
        },
        wait: true,
        ...(team === knockingTeam ? { ssh: beside, command: [...knockingFromTheStart] } : {}),
      },
      [namespaces[team]],
    ),
  );
  // Its claim stays when it goes, as a home does.
  const home = new k8s.core.v1.PersistentVolumeClaim(extraContainer, claimOf(extraContainer, evictableTeam), {
    dependsOn: [namespaces[evictableTeam]],
  });
  if (extra) {
    const claimName = home.metadata.name;
    testContainer(extraContainer, {
      namespace: evictableTeam,
      authorizedKeys: [own],
      access: way,
      home: { claimName },
      // The claim is new: nothing in it says whose group may write.
      pod: { fsGroup: 1000 },
    });
  }
  const proxy = testProxy(storageProxy);
  const browse = testAccess(proxy, { actions: ["upload", "delete"], credentials: [writer] });
  const files = testStorage(storage, { namespace: storageTeam, size: "1Gi", ...movable, browse }, [
    namespaces[storageTeam],
  ]);
  const lines = (texts: Parameters<typeof all>[0]) =>
    all(texts).apply((each) => (each as string[]).join("\n"));
  return {
    address: entrance.address,
    storageUrl: files.url,
    ssh: made.map(({ sshTarget }) => sshTarget),
    storages: [files.storageTarget],
    sshConfig: lines(made.map(({ sshConfig }) => sshConfig)),
    knownHosts: lines(made.map(({ knownHosts }) => knownHosts)),
  };
}
