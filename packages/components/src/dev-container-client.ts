import * as m from "@drawbridge-iac/manifests";
import * as pulumi from "@pulumi/pulumi";
import { frpWays } from "./dev-container-frp.ts";
import { output } from "./inputs.ts";

/** What clients need to log in. Without a sshd there is no way in, and the texts say so. */
export function clientText(plan: m.DevContainerPlan, publicKeys: pulumi.Output<string[]>) {
  if (!plan.hasSshd) {
    const none = pulumi.output(`# ${plan.name} has no sshd, so nobody can log in\n`);
    return { sshConfig: none, sshCommand: none, sshTarget: pulumi.output("") };
  }
  const { gateway } = plan.access;
  const address: pulumi.Output<string | undefined> =
    gateway === undefined
      ? pulumi.output(undefined)
      : output(gateway.address ?? `<address of the gateway ${gateway.namespace}/${gateway.name}>`);
  const target = pulumi
    .all([address, publicKeys, frpWays(plan)])
    .apply(([gatewayAddress, hostKeys, furtherWays]) =>
      m.containerSshTarget(plan, {
        hostKeys,
        furtherWays,
        ...(gatewayAddress === undefined ? {} : { gatewayAddress }),
      }),
    );
  return {
    sshConfig: target.apply((known) =>
      m.sshConfigText(known, { program: m.plainProgram(known, "proxytunnel") }),
    ),
    sshCommand: target.apply((known) => m.sshCommand(known)),
    sshTarget: target.apply((known) => JSON.stringify(known)),
  };
}
