import type * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import type { DevContainerChildren } from "../generated/children.ts";
import type { DevContainerArgs } from "../generated/dev-container.ts";
import type { SshTarget } from "../generated/shared.ts";
import { clientOutputs, frpCommand, hostStatus } from "../host/component.ts";
import type { HostStatus } from "../host/status.ts";
import { prepare } from "../kubernetes/registration/construct.ts";
import { output } from "../kubernetes/registration/outputs.ts";
import { setOutputs } from "../kubernetes/registration/register.ts";
import { devContainer } from "./descriptor.ts";
import { type DevContainerPlan, primaryUrl } from "./plan.ts";
import { type DevContainerStatus, containerStatus as statusOf, workloadReading } from "./status.ts";
import { homeClaimName } from "./volumes.ts";

/**
 * One developer's container: sshd, a home that lasts, a pinned host key and its route on a gateway.
 *
 * @example
 * ```ts
 * const dev1 = new DevContainer("dev1", {
 *   namespace: "team-a",
 *   image: "registry.example.com/team/devcontainer:0.1.0",
 *   authorizedKeys: ["ssh-ed25519 AAAA… alice"],
 *   hostKey: { seed: config.requireSecret("hostKeySeed") },
 *   access: { gateway },
 * });
 * export const sshConfig = dev1.sshConfig;
 * ```
 */
export class DevContainer extends pulumi.ComponentResource {
  /** The name clients use: `<name>.<namespace>.<domain>`, or the cluster-internal one without a gateway. */
  public readonly hostName!: pulumi.Output<string>;
  /** Name of the pod, for kubectl and the way over the Kubernetes API. */
  public readonly podName!: pulumi.Output<string>;
  /** Name of the claim that holds the home; `home.claimName` takes it back. */
  public readonly homeClaimName!: pulumi.Output<string>;
  /** The host's public key, `ssh-ed25519 AAAA…`; undefined without sshd. */
  public readonly hostPublicKey!: pulumi.Output<string | undefined>;
  /** `known_hosts` lines for every name of the container, also for the next key of a rotation; undefined without sshd. */
  public readonly knownHosts!: pulumi.Output<string | undefined>;
  /** An ssh_config block. Undefined without sshd, and while the gateway has no address. */
  public readonly sshConfig!: pulumi.Output<string | undefined>;
  /** The command that logs in, with nothing configured but `known_hosts`. Undefined where `sshConfig` is. */
  public readonly sshCommand!: pulumi.Output<string | undefined>;
  /** The command that logs in through frp, with nothing configured but `known_hosts`; undefined without frp. */
  public readonly frpCommand!: pulumi.Output<string | undefined>;
  /** What the `drawbridge` command needs to know; export it and run `drawbridge ssh-config`. Undefined without sshd. */
  public readonly sshTarget!: pulumi.Output<SshTarget | undefined>;
  /** The address of the primary port; undefined if none is declared. */
  public readonly url!: pulumi.Output<string | undefined>;
  /** State of the container when Pulumi last read its objects: `pulumi up` reads what it changes, `refresh` reads all. */
  public readonly status!: pulumi.Output<DevContainerStatus>;
  /** The component's Kubernetes resources by the suffix of their names; undefined for one that is not made. */
  public readonly children!: DevContainerChildren;

  constructor(name: string, args: DevContainerArgs, opts?: pulumi.ComponentResourceOptions) {
    const { faulty, token, inputs, plan, register } = prepare(devContainer, name, args, opts);
    if (faulty) return faulty(new.target);
    super(token, name, inputs, opts);
    const { secrets, children } = register(this);
    this.children = children;
    const publicKeys = output(secrets.hostKey?.publicKeys ?? []);
    const { knownHosts, ...texts } = clientOutputs(plan, publicKeys);
    setOutputs<DevContainer>(this, {
      podName: pulumi.output(plan.podName),
      homeClaimName: output(homeClaimName(plan)),
      hostPublicKey: publicKeys.apply(([first]) => first),
      ...texts,
      knownHosts: plan.hasSshd ? knownHosts : pulumi.output(undefined),
      frpCommand: frpCommand(plan),
      url: output(primaryUrl(plan)),
      status: containerStatus(plan, children.workload, hostStatus(plan, children.route)),
    });
  }
}

/** @param ways the state of its ways in */
function containerStatus(
  plan: DevContainerPlan,
  workload: k8s.apps.v1.StatefulSet,
  ways: pulumi.Output<HostStatus>,
): pulumi.Output<DevContainerStatus> {
  const { running, idle, hasSshd, frpc } = plan;
  const declared = { running, sleeps: idle !== undefined, hasSshd, hasFrpc: frpc !== undefined };
  return pulumi
    .all([workload.metadata, workload.status, ways])
    .apply(([{ generation }, status, { conditions: ofWays }]) => {
      const reading = workloadReading({ metadata: { generation }, status });
      const { phase, conditions } = statusOf(reading, declared);
      return { phase, conditions: [...conditions, ...ofWays] };
    });
}
