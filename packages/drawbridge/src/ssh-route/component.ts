import * as pulumi from "@pulumi/pulumi";
import type { SshRouteChildren } from "../generated/children.ts";
import type { SshTarget } from "../generated/shared.ts";
import type { SshRouteArgs } from "../generated/ssh-route.ts";
import { clientOutputs, hostStatus } from "../host/component.ts";
import type { HostStatus } from "../host/status.ts";
import { prepare } from "../kubernetes/registration/construct.ts";
import { settled } from "../kubernetes/registration/outputs.ts";
import { setOutputs } from "../kubernetes/registration/register.ts";
import { sshRoute } from "./descriptor.ts";

/**
 * A route to something that runs already and has an sshd: any Service of the namespace. People reach it as
 * they reach a {@link DevContainer}; nothing of the workload is changed. Its way in through frp is a pod of the route's own,
 * and sessions that go through it end when that pod restarts: at a change of `access.frp`, `serviceName` or `port`.
 *
 * @example
 * ```ts
 * const box = new SshRoute("box", {
 *   namespace: team.namespace,
 *   serviceName: "legacy-box",
 *   userName: "ubuntu",
 *   hostPublicKeys: ["ssh-ed25519 AAAA…"],
 *   access: { gateway },
 * });
 * export const sshConfig = box.sshConfig;
 * ```
 */
export class SshRoute extends pulumi.ComponentResource {
  /** The name clients use: `<name>.<namespace>.<domain>`, or the cluster-internal one without a gateway. */
  public readonly hostName!: pulumi.Output<string>;
  /** `known_hosts` lines for every name of the host. */
  public readonly knownHosts!: pulumi.Output<string>;
  /** An ssh_config block. Undefined without a way in, and while the gateway has no address. */
  public readonly sshConfig!: pulumi.Output<string | undefined>;
  /** The command that logs in, with nothing configured but `known_hosts`. Undefined where `sshConfig` is. */
  public readonly sshCommand!: pulumi.Output<string | undefined>;
  /** What the `drawbridge` command needs to know; export it and run `drawbridge ssh-config`. Undefined without a way in. */
  public readonly sshTarget!: pulumi.Output<SshTarget | undefined>;
  /** Whether each way in stands, as Pulumi last saw it: `NoAddress` where the gateway has none yet. */
  public readonly status!: pulumi.Output<HostStatus>;
  /** The component's Kubernetes resources by the suffix of their names; undefined for one that is not made. */
  public readonly children!: SshRouteChildren;

  constructor(name: string, args: SshRouteArgs, opts?: pulumi.ComponentResourceOptions) {
    const { faulty, token, inputs, plan, register } = prepare(sshRoute, name, args, opts);
    if (faulty) return faulty(new.target);
    super(token, name, inputs, opts);
    const { children } = register(this);
    this.children = children;
    const publicKeys = settled(plan.hostPublicKeys) as pulumi.Output<string[]>;
    setOutputs<SshRoute>(this, {
      ...clientOutputs(plan, publicKeys),
      status: hostStatus(plan, children.route),
    });
  }
}
