import {
  type DevContainerObjects,
  type DevContainerStatus,
  devContainerObjects,
  devContainerSchema,
  homeClaimName,
  planDevContainer,
  primaryUrl,
} from "@drawbridge-iac/manifests";
import * as pulumi from "@pulumi/pulumi";
import { checkArgs } from "./check-args.ts";
import { frpCommand, frpcSecrets } from "./dev-container-frp.ts";
import { secretVariables } from "./dev-container-secret-env.ts";
import { containerStatus } from "./dev-container-status.ts";
import { clientOutputs, hostNamesOf } from "./host-client.ts";
import { hostKeys } from "./host-key-outputs.ts";
import { output } from "./inputs.ts";
import type { DevContainerArgs } from "./made/dev-container.ts";
import type { SshTarget } from "./made/shared.ts";
import { type Children, giveOut, registerChildren } from "./register.ts";

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
 *   access: { gateway: gateway.ref },
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
  public readonly homeClaim!: pulumi.Output<string>;
  /** The host's public key, `ssh-ed25519 AAAA…`; empty without sshd. */
  public readonly hostPublicKey!: pulumi.Output<string>;
  /** `known_hosts` lines for every name of the container, also for the next key of a rotation; empty without sshd. */
  public readonly knownHosts!: pulumi.Output<string>;
  /** An ssh_config block. */
  public readonly sshConfig!: pulumi.Output<string>;
  /** The command that logs in, with nothing configured but `known_hosts`. */
  public readonly sshCommand!: pulumi.Output<string>;
  /** The command that logs in through frp, with nothing configured but `known_hosts`; empty without frp. */
  public readonly frpCommand!: pulumi.Output<string>;
  /** What the `drawbridge` command needs to know; export it and run `drawbridge ssh-config`. Undefined without sshd. */
  public readonly sshTarget!: pulumi.Output<SshTarget | undefined>;
  /** The address of the primary port; empty if none is declared. */
  public readonly url!: pulumi.Output<string>;
  /** State of the container when Pulumi last read its objects: `pulumi up` reads what it changes, `refresh` reads all. */
  public readonly status!: pulumi.Output<DevContainerStatus>;
  /** The component's Kubernetes resources by the suffix of their names; undefined for one that is not made. */
  public readonly children: Children<DevContainerObjects>;

  constructor(name: string, args: DevContainerArgs, opts?: pulumi.ComponentResourceOptions) {
    const checked = checkArgs({
      component: "DevContainer",
      name,
      schema: devContainerSchema,
      args,
      opts,
      names: (given) => hostNamesOf(planDevContainer(name, given)),
      told: ({ access }) => [access.gatewayAddress, access.gateway?.address, access.frp?.connectAddress],
    });
    const plan = planDevContainer(name, checked.args);
    super("drawbridge:index:DevContainer", name, checked.inputs, opts);
    const hostKey = plan.hasSshd && plan.hostKey ? hostKeys({ ...plan, hostKey: plan.hostKey }) : undefined;
    const objects = devContainerObjects(plan, {
      hostKey,
      frpc: frpcSecrets(plan),
      env: secretVariables(plan),
    });
    this.children = registerChildren(name, objects, { parent: this, ...checked.child });
    const { workload, route } = this.children;
    const publicKeys = hostKey?.publicKeys ?? pulumi.output<string[]>([]);
    giveOut<DevContainer>(this, {
      podName: pulumi.output(plan.podName),
      homeClaim: output(homeClaimName(plan)),
      hostPublicKey: publicKeys.apply((keys) => keys[0] ?? ""),
      ...clientOutputs(plan, publicKeys),
      frpCommand: frpCommand(plan),
      url: output(primaryUrl(plan) ?? ""),
      status: containerStatus(plan, workload, route),
    });
  }
}
