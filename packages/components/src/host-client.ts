import {
  type DevContainerPlan,
  frpcNames,
  gatewayNames,
  type HostPlan,
  hostSshTarget,
  type KnownHost,
  knownHostsLine,
  plainProgram,
  sshCommand,
  sshConfigText,
  type SshTarget as Target,
} from "@drawbridge-iac/manifests";
import * as pulumi from "@pulumi/pulumi";
import { frpWays } from "./dev-container-frp.ts";
import { output, settled } from "./inputs.ts";
import type { SshTarget } from "./made/shared.ts";
import type { ReservedName } from "./reserved-names.ts";

/** A host with the parts of a container's plan that clients are told. */
type Told = HostPlan & Partial<Pick<DevContainerPlan, "running" | "idle">>;

/**
 * `make` of the plan, once everything that clients are told is known. The plan itself holds secrets, so it is never in
 * an Output: whatever is made of that would be secret too.
 */
export function whenTold<T>(plan: HostPlan, make: (known: KnownHost) => T): pulumi.Output<T> {
  const { namespace, hostNames, knownNames, podName, user, homePath, frpc } = plan;
  const later = { namespace, hostNames, knownNames, podName, user, homePath };
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

/** Host names of a plan, reserved for its component. */
export const hostNamesOf = ({ knownNames }: HostPlan): ReservedName[] =>
  knownNames.map((name) => ({ path: "name", name, code: "name-taken" }));

/** Outputs for clients: names, keys and login texts. Without a way in, the texts say so. */
export function clientOutputs(plan: Told, publicKeys: pulumi.Output<string[]>) {
  return {
    hostName: output(plan.hostNames[0] ?? plan.name),
    knownHosts: settled({ publicKeys, names: plan.knownNames }).apply(({ publicKeys, names }) =>
      publicKeys.map((key) => knownHostsLine(names, plan.ssh.port, key)).join(""),
    ),
    ...loginTexts(plan, publicKeys),
  };
}

function loginTexts(plan: Told, publicKeys: pulumi.Output<string[]>) {
  if (!plan.hasSshd) {
    const none = pulumi.output(`# ${plan.name} has no sshd, so nobody can log in\n`);
    return { sshConfig: none, sshCommand: none, sshTarget: pulumi.output<SshTarget | undefined>(undefined) };
  }
  // A gateway without an address is no way in: its ProxyCommand could not work.
  const target = pulumi
    .all([output(plan.gatewayAddress), publicKeys, frpWays(plan)])
    .apply(([gatewayAddress, hostKeys, furtherWays]) =>
      whenTold(plan, (known) =>
        hostSshTarget(
          { ...known, running: plan.running, idle: plan.idle },
          { hostKeys, furtherWays, ...(gatewayAddress === undefined ? {} : { gatewayAddress }) },
        ),
      ),
    );
  const says = (make: (target: Target) => string) =>
    target.apply((known) =>
      known.ways.length > 0
        ? make(known)
        : `# ${plan.name} has no way in yet: give access.gatewayAddress, the address of its gateway\n`,
    );
  return {
    sshConfig: says((known) => sshConfigText(known, { program: plainProgram(known, "proxytunnel") })),
    sshCommand: says(sshCommand),
    sshTarget: target.apply((known) => (known.ways.length > 0 ? known : undefined)) as pulumi.Output<
      SshTarget | undefined
    >,
  };
}
