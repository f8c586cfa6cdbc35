/** What clients need to know of a host, as Outputs. */

import * as pulumi from "@pulumi/pulumi";
import type { SshTarget } from "../generated/shared.ts";
import { output, settled } from "../kubernetes/registration/outputs.ts";
import { knownHostsLine } from "./client-texts/known-hosts.ts";
import { plainProgram, sshCommand } from "./client-texts/proxy-command.ts";
import { sshConfigText } from "./client-texts/ssh-config.ts";
import type { SshWay, SshTarget as Target } from "./client-texts/target.ts";
import { type FrpcPlan, frpcNames, frpSshCommand, frpWay, type KnownFrpcPlan } from "./frpc/plan.ts";
import { gatewayNames, type HostPlan, type KnownHost } from "./plan.ts";
import { type HostStatus, wayConditions } from "./status.ts";
import { hostSshTarget } from "./target.ts";

/** A host, and whether and when its container runs. */
type RunningHost = HostPlan & { readonly running?: boolean; readonly idle?: object | undefined };

/**
 * `make` of the plan, once all that clients read is known. The plan holds secrets, and an
 * Output of it would be secret; so the Output holds only what clients read.
 */
export function whenClientsKnow<T>(plan: HostPlan, make: (known: KnownHost) => T): pulumi.Output<T> {
  const { namespace, hostNames, knownNames, podName, user, homePath, frpc } = plan;
  const ssh = { port: plan.ssh.port };
  const later = { namespace, hostNames, knownNames, podName, ssh, user: { name: user.name }, homePath };
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

/** Outputs for clients: names, keys and login texts. What there is none of is undefined; `status` says why. */
export function clientOutputs(plan: RunningHost, publicKeys: pulumi.Output<string[]>) {
  return {
    hostName: output(plan.hostNames[0] ?? plan.name),
    knownHosts: settled({ publicKeys, names: plan.knownNames, port: plan.ssh.port }).apply(
      ({ publicKeys, names, port }) => publicKeys.map((key) => knownHostsLine(names, port, key)).join(""),
    ),
    ...loginTexts(plan, publicKeys),
  };
}

function loginTexts(plan: RunningHost, publicKeys: pulumi.Output<string[]>) {
  if (!plan.hasSshd) {
    const none = pulumi.output(undefined);
    return { sshConfig: none, sshCommand: none, sshTarget: none };
  }
  // A gateway without an address is no way in: its ProxyCommand could not work.
  const target = pulumi
    .all([output(plan.gatewayAddress), publicKeys, frpWays(plan)])
    .apply(([gatewayAddress, hostKeys, furtherWays]) =>
      whenClientsKnow(plan, (known) =>
        hostSshTarget(
          { ...known, running: plan.running, idle: plan.idle },
          { hostKeys, furtherWays, ...(gatewayAddress === undefined ? {} : { gatewayAddress }) },
        ),
      ),
    );
  // A text of a host behind a gateway never leads another way, which its reader would not expect.
  const isAwaited = (known: Target) =>
    plan.access.gateway !== undefined && !known.ways.some(({ way }) => way === "gateway");
  const loginText = (make: (target: Target) => string) =>
    target.apply((known) => (known.ways.length === 0 || isAwaited(known) ? undefined : make(known)));
  return {
    sshConfig: loginText((known) => sshConfigText(known, { program: plainProgram(known, "proxytunnel") })),
    sshCommand: loginText(sshCommand),
    sshTarget: target.apply((known) => (known.ways.length > 0 ? known : undefined)) as pulumi.Output<
      SshTarget | undefined
    >,
  };
}

/**
 * The state of the ways in.
 * @param route the gateway's route; without it the gateway is no way in yet
 */
export const hostStatus = (
  plan: HostPlan,
  route: pulumi.CustomResource | undefined,
): pulumi.Output<HostStatus> =>
  pulumi
    .all([output(plan.gatewayAddress), route?.id])
    .apply(([address]) => whenClientsKnow(plan, (known) => ({ conditions: wayConditions(known, address) })));

/** Login command through frp. */
export function frpCommand(plan: HostPlan): pulumi.Output<string | undefined> {
  if (plan.frpc === undefined) return pulumi.output(undefined);
  return whenNamed(plan.frpc, (frpc, address) =>
    whenClientsKnow(plan, (known) => frpSshCommand(known, frpc, address)),
  );
}

/** The way in through frp, for the client's text. */
function frpWays({ frpc }: Pick<HostPlan, "frpc">): pulumi.Output<SshWay[]> {
  return frpc === undefined
    ? pulumi.output([])
    : whenNamed(frpc, (known, address) => [frpWay(known, address)]);
}

/** `make` of a frpc and its frps' address, once both are known. */
const whenNamed = <T>(
  frpc: FrpcPlan,
  make: (known: KnownFrpcPlan, address: string) => pulumi.Input<T>,
): pulumi.Output<T> =>
  settled({ address: frpc.connectAddress, names: frpcNames(frpc) }).apply(({ address, names }) =>
    make({ ...frpc, ...names }, address),
  ) as pulumi.Output<T>;
