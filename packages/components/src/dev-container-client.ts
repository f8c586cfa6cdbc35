import {
  containerSshTarget,
  type DevContainerPlan,
  frpcNames,
  gatewayNames,
  type KnownPlan,
  plainProgram,
  sshCommand,
  sshConfigText,
} from "@drawbridge-iac/manifests";
import * as pulumi from "@pulumi/pulumi";
import { frpWays } from "./dev-container-frp.ts";
import { output, settled } from "./inputs.ts";
import type { SshTarget } from "./made/shared.ts";

/**
 * `make` of the plan, when all is known that clients are told. The plan itself holds secrets, so it is never in an Output:
 * what is made of that would be secret.
 */
export function whenTold<T>(plan: DevContainerPlan, make: (known: KnownPlan) => T): pulumi.Output<T> {
  const { namespace, hostIdentity, hostNames, knownNames, frpc } = plan;
  const later = { namespace, hostIdentity, hostNames, knownNames };
  const names = frpc && frpcNames(frpc);
  const gateway = plan.access.gateway && gatewayNames(plan.access.gateway);
  return settled({ later, names, gateway }).apply(({ later, names, gateway }) =>
    make({
      ...plan,
      ...later,
      frpc: frpc && names && { ...frpc, ...names },
      access: { ...plan.access, gateway },
    }),
  ) as pulumi.Output<T>;
}

/** What clients need to log in. Without a sshd there is no way in, and the texts say so. */
export function clientText(plan: DevContainerPlan, publicKeys: pulumi.Output<string[]>) {
  if (!plan.hasSshd) {
    const none = pulumi.output(`# ${plan.name} has no sshd, so nobody can log in\n`);
    return { sshConfig: none, sshCommand: none, sshTarget: pulumi.output<SshTarget | undefined>(undefined) };
  }
  // A gateway whose address nobody said is no way in: a ProxyCommand with a gap in it would only fail later.
  const target = pulumi
    .all([output(plan.gatewayAddress), publicKeys, frpWays(plan)])
    .apply(([gatewayAddress, hostKeys, furtherWays]) =>
      whenTold(plan, (known) =>
        containerSshTarget(known, {
          hostKeys,
          furtherWays,
          ...(gatewayAddress === undefined ? {} : { gatewayAddress }),
        }),
      ),
    );
  return {
    sshConfig: target.apply((known) => sshConfigText(known, { program: plainProgram(known, "proxytunnel") })),
    sshCommand: target.apply((known) => sshCommand(known)),
    sshTarget: target as pulumi.Output<SshTarget | undefined>,
  };
}
