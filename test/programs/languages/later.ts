/** Values that are known later, from wherever they come. Beside it stands the same in Python and Go. */
import { DevContainer, SshGateway } from "@drawbridge-iac/drawbridge";
import * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";

export function later(): pulumi.Inputs {
  const platform = new pulumi.StackReference("platform", { name: "organization/platform/dev" });
  // Pulumi chooses its name; its id, which is the same, is known to no preview.
  const team = new k8s.core.v1.Namespace("team", {
    metadata: { labels: { "drawbridge.dev/team": "team-a" } },
  });
  const gateway = new SshGateway("gw", { domain: "dev.example.com", loadBalancer: { preset: "generic" } });
  const container = new DevContainer("dev1", {
    namespace: team.id,
    image: platform.requireOutput("image"),
    authorizedKeys: platform.requireOutput("keys"),
    access: { gateway },
    hostKey: { seed: platform.requireOutput("seed") },
  });
  return { knownHosts: container.knownHosts, sshConfig: container.sshConfig };
}
