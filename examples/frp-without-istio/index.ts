import { DevContainer, FrpServer, Team } from "@drawbridge-iac/drawbridge";
import * as pulumi from "@pulumi/pulumi";

/** One frp server, one namespace for a team, one container in it. Nothing here needs Istio. */
export default function program() {
  const config = new pulumi.Config();

  const frp = new FrpServer("frp", {
    domain: "ssh.example.com",
    seed: config.requireSecret("frpSeed"),
    image: config.get("frpsImage") ?? "fatedier/frps:v0.70.1",
    authorizer: { image: config.require("authorizerImage") },
    egress: { apiServer: config.requireObject<{ cidr: string }[]>("apiServer") },
    loadBalancer: { preset: "generic" },
  });

  const team = new Team("team-f");

  const dev1 = new DevContainer("dev1", {
    namespace: team.namespace,
    image: config.require("image"),
    authorizedKeys: config.requireObject<string[]>("authorizedKeys"),
    hostKey: { seed: config.requireSecret("hostKeySeed") },
    resources: { requests: { cpu: "20m" }, memory: "128Mi" },
    home: { size: "1Gi" },
    access: {
      frp: {
        server: frp,
        image: config.get("frpcImage") ?? "fatedier/frpc:v0.70.1",
      },
    },
  });

  return {
    frpCommand: dev1.frpCommand,
    sshConfig: dev1.sshConfig,
    knownHosts: dev1.knownHosts,
    sshTarget: dev1.sshTarget,
    address: frp.address,
  };
}
