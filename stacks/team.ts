import { DevContainer, type DevContainerArgs } from "@drawbridge-iac/drawbridge";
import * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import type { TeamStack } from "./config/read.ts";
import { teamNamespace } from "./namespace.ts";

// The default of 50 requests a second makes the preview of a big stack wait for the client, not the cluster.
const clientLimits = { qps: 500, burst: 1000 };

/** One team: its namespace and its containers. */
export function team(config: TeamStack): Record<string, unknown> {
  const provider = new k8s.Provider("cluster", {
    enableConfigMapMutable: true,
    enableSecretMutable: true,
    kubeClientSettings: clientLimits,
  });
  const dependsOn = teamNamespace(config, provider);
  const address = platformAddress(config);
  const containers = Object.entries(config.containers).map(([name, args]) => {
    const complete = args as unknown as DevContainerArgs;
    const gateway = complete.gateway;
    const reachable =
      gateway === undefined || address === undefined
        ? complete
        : { ...complete, gateway: { ...gateway, address } };
    return [name, new DevContainer(name, reachable, { provider, dependsOn })] as const;
  });
  return {
    containers: Object.fromEntries(
      containers.map(([name, container]) => [
        name,
        {
          hostName: container.hostName,
          sshCommand: container.sshCommand,
          sshConfig: container.sshConfig,
          knownHosts: container.knownHosts,
        },
      ]),
    ),
    sshConfig: pulumi
      .all(containers.map(([, container]) => container.sshConfig))
      .apply((blocks) => blocks.join("\n")),
    knownHosts: pulumi
      .all(containers.map(([, container]) => container.knownHosts))
      .apply((lines) => lines.join("")),
  };
}

/** The gateway's address as the platform's stack has it, where the team's file names that stack. */
function platformAddress(config: TeamStack): pulumi.Output<string> | undefined {
  if (config.platformStack === undefined) return undefined;
  const reference = new pulumi.StackReference(config.platformStack);
  return reference.requireOutput("gatewayAddress") as pulumi.Output<string>;
}
