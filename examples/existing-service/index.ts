import { SshGateway, SshNetworkPolicy, SshRoute, Team } from "@drawbridge-iac/drawbridge";
import * as pulumi from "@pulumi/pulumi";

/** A Service of someone's chart, whose pods have an sshd: people reach it as they reach a container. */
export default function program() {
  const config = new pulumi.Config();

  // It reaches pods of teams that are no containers too.
  const gateway = new SshGateway("ssh-ingress", {
    domain: "dev.example.com",
    image: config.get("proxyImage") ?? "auto",
    replicas: 1,
    loadBalancer: { preset: "generic" },
    egress: { teamPods: true },
  });

  const team = new Team("team-a");

  // The chart has made the StatefulSet `box` with the Service `box`, and knows nothing of this.
  const box = new SshRoute("box", {
    namespace: team.namespace,
    serviceName: "box",
    port: config.getNumber("port") ?? 22,
    userName: config.require("userName"),
    hostPublicKeys: config.requireObject<string[]>("hostPublicKeys"),
    podName: "box-0",
    podLabels: { app: "box" },
    networkPolicy: SshNetworkPolicy.allowGateway,
    access: { gateway },
  });

  return { sshConfig: box.sshConfig, knownHosts: box.knownHosts, sshTarget: box.sshTarget };
}
