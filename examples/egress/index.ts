import { DevContainer, EgressGateway, Team, TeamPolicies } from "@drawbridge-iac/drawbridge";
import * as pulumi from "@pulumi/pulumi";

/** One egress gateway, a team that may name some hosts, and a container that reaches two of them. */
export default function program() {
  const config = new pulumi.Config();

  const egress = new EgressGateway("egress", {
    authorizer: { image: config.require("authorizerImage") },
    egress: { apiServer: config.requireObject<{ cidr: string }[]>("apiServer") },
    autoscaling: { maxReplicas: 5 },
  });

  // What no container of the team gets past; an SshGateway brings these policies too.
  new TeamPolicies("teams");
  const allowedHosts = ["pypi.org", "*.pythonhosted.org", "git.example.com:22"];
  const team = new Team("team-e", { allowedHosts });

  const dev1 = new DevContainer("dev1", {
    namespace: team.namespace,
    image: config.require("image"),
    authorizedKeys: config.requireObject<string[]>("authorizedKeys"),
    hostKey: { seed: config.requireSecret("hostKeySeed") },
    resources: { requests: { cpu: "100m" }, memory: "512Mi" },
    home: { size: "1Gi" },
    access: { sshpod: { groups: ["team-e"] } },
    egress: { gateway: egress, hosts: ["pypi.org", "*.pythonhosted.org"] },
  });

  return { sshConfig: dev1.sshConfig, knownHosts: dev1.knownHosts, sshTarget: dev1.sshTarget };
}
