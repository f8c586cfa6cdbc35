import { DevContainer, SshGateway, StorageAccessor, StorageProxy, Team } from "@drawbridge-iac/drawbridge";
import * as pulumi from "@pulumi/pulumi";

/** Images of your own registry; without them the projects' published ones are used. */
interface Images {
  container: string;
  tools: string;
  proxy?: string;
  dufs?: string;
}

/** One storage: filled by a Job, browsed by alice, mounted in dev1. */
export default function program() {
  const config = new pulumi.Config();
  const images = config.requireObject<Images>("images");

  const gateway = new SshGateway("ssh-ingress", {
    domain: "dev.example.com",
    replicas: 1,
    loadBalancer: { preset: "generic" },
  });
  const proxy = new StorageProxy("files", {
    replicas: 1,
    drainSeconds: 5,
    ...(images.proxy === undefined ? {} : { image: images.proxy }),
    loadBalancer: { preset: "generic" },
  });

  const team = new Team("team-a");

  const models = new StorageAccessor("models", {
    namespace: team.namespace,
    size: "1Gi",
    prepare: {
      image: images.tools,
      command: ["sh", "-c"],
      args: ["mkdir -p model && echo seeded > model/README.txt"],
    },
    browse: {
      proxy,
      actions: ["search", "archive"],
      credentials: [{ user: "alice", password: config.requireSecret("alicePassword") }],
      ...(images.dufs === undefined ? {} : { image: images.dufs }),
    },
  });

  const dev1 = new DevContainer("dev1", {
    namespace: team.namespace,
    image: images.container,
    authorizedKeys: config.requireObject<string[]>("authorizedKeys"),
    hostKey: { seed: config.requireSecret("hostKeySeed") },
    resources: { requests: { cpu: "100m" }, memory: "512Mi" },
    home: { size: "1Gi" },
    access: { gateway },
    mounts: [{ storage: models, mountPath: "/models" }],
  });

  return {
    url: models.url,
    status: models.status,
    sshConfig: dev1.sshConfig,
    knownHosts: dev1.knownHosts,
    // For the `drawbridge` command.
    sshTarget: dev1.sshTarget,
    storageTarget: models.storageTarget,
  };
}
