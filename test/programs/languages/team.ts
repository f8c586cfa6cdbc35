/** A team in TypeScript: a gateway, a storage, and a container that mounts it. Beside it stands the same in Python and Go. */
import { DevContainer, SshGateway, StorageAccessor, Team, TeamMembers } from "@drawbridge-iac/drawbridge";
import * as pulumi from "@pulumi/pulumi";

/** What the programs read from `DRAWBRIDGE_TEAM`. */
export interface Given {
  readonly gateway: string;
  readonly namespace: string;
  readonly images: { readonly proxy: string; readonly container: string };
  readonly keys: string[];
  readonly seed: string;
  readonly greeting: string;
}

export function team(given: Given): pulumi.Inputs {
  const { gateway, images, keys, seed, greeting } = given;
  const ingress = new SshGateway(gateway, {
    domain: "dev.example.com",
    image: images.proxy,
    replicas: 1,
    drainSeconds: 8,
    loadBalancer: { preset: "generic" },
  });
  const { namespace } = new Team(given.namespace, {
    createNamespace: false,
    quota: { pods: "20" },
    deployers: { users: ["alice"] },
  });
  new TeamMembers(given.namespace, { namespace, viewers: { groups: ["team"] }, sshpod: { users: ["bob"] } });
  const storage = new StorageAccessor("models", { namespace, size: "64Mi" });
  const container = new DevContainer("dev1", {
    namespace,
    image: images.container,
    authorizedKeys: keys,
    hostKey: { seed: pulumi.secret(seed) },
    ssh: { mode: "image" },
    resources: { memory: "256Mi", requests: { cpu: "50m" } },
    home: { size: "64Mi" },
    env: { GREETING: greeting },
    access: { gateway: ingress },
    mounts: [{ storage: storage, mountPath: "/models" }],
  });
  const { sshConfig, knownHosts, sshTarget, status } = container;
  return { sshConfig, knownHosts, sshTarget, phase: status.phase, claimName: storage.claimName };
}
