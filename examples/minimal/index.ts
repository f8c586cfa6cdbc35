import { DevContainer, SshGateway, Team } from "@drawbridge-iac/drawbridge";
import * as pulumi from "@pulumi/pulumi";

/** One gateway, one namespace for a team, one container in it. */
export default function program() {
  const config = new pulumi.Config();

  const gateway = new SshGateway("ssh-ingress", {
    domain: "dev.example.com",
    image: config.get("proxyImage") ?? "auto",
    replicas: 1,
    loadBalancer: { preset: "generic" },
  });

  const team = new Team("team-a");

  const dev1 = new DevContainer("dev1", {
    namespace: team.namespace,
    image: config.require("image"),
    authorizedKeys: config.requireObject<string[]>("authorizedKeys"),
    hostKey: { seed: config.requireSecret("hostKeySeed") },
    resources: { requests: { cpu: "100m" }, memory: "512Mi" },
    home: { size: "1Gi" },
    access: { gateway },
  });

  const { sshConfig, knownHosts, sshCommand, sshTarget } = dev1;
  return { sshConfig, knownHosts, sshCommand, sshTarget };
}
