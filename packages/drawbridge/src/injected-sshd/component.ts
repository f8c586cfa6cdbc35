import * as pulumi from "@pulumi/pulumi";
import type { InjectedSshdChildren } from "../generated/children.ts";
import type { InjectedSshdArgs } from "../generated/injected-sshd.ts";
import type { SshTarget } from "../generated/shared.ts";
import { clientOutputs, hostStatus } from "../host/component.ts";
import type { HostStatus } from "../host/status.ts";
import type { AsInKubernetes } from "../kubernetes/as-in-kubernetes.ts";
import { outputs, prepare } from "../kubernetes/registration/construct.ts";
import { afterAll, output } from "../kubernetes/registration/outputs.ts";
import { setOutputs } from "../kubernetes/registration/register.ts";
import { injectedSshd } from "./descriptor.ts";

/**
 * Adds an sshd to a pod template that another controller owns: of a Deployment, a StatefulSet, a Sandbox, a Notebook.
 * The template goes in and comes out with the sshd in it, beside the objects that sshd needs; the controller knows
 * nothing of it.
 *
 * @example
 * ```ts
 * const ssh = new InjectedSshd("notebook", {
 *   namespace: team.namespace,
 *   podTemplate: { spec: { containers: [{ name: "notebook", image: "quay.io/jupyter/minimal-notebook:2025-01-06" }] } },
 *   ssh: { image: "registry.example.com/drawbridge/sshd-bundle:0.1.0" },
 *   authorizedKeys: ["ssh-ed25519 AAAA… alice"],
 *   hostKey: { seed: config.requireSecret("hostKeySeed") },
 *   access: { gateway },
 * });
 * new k8s.apps.v1.Deployment("notebook", { spec: { template: ssh.podTemplate, … } });
 * ```
 */
export class InjectedSshd extends pulumi.ComponentResource {
  /** The pod template with the sshd in it, known once everything exists that its pod needs. */
  public readonly podTemplate!: pulumi.Output<AsInKubernetes>;
  /** The name clients use: `<name>.<namespace>.<domain>`, or the cluster-internal one without a gateway. */
  public readonly hostName!: pulumi.Output<string>;
  /** The host's public key, `ssh-ed25519 AAAA…`. */
  public readonly hostPublicKey!: pulumi.Output<string | undefined>;
  /** `known_hosts` lines for every name of the host, also for the next key of a rotation. */
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
  public readonly children!: InjectedSshdChildren;

  constructor(name: string, args: InjectedSshdArgs, opts?: pulumi.ComponentResourceOptions) {
    const { faulty, token, inputs, plan, register } = prepare(injectedSshd, name, args, opts);
    if (faulty) return faulty(new.target);
    super(token, name, inputs, opts);
    const { secrets, children } = register(this);
    this.children = children;
    const publicKeys = output(secrets.hostKey.publicKeys);
    const template = output(injectedSshd.template?.(plan, secrets, outputs));
    setOutputs<InjectedSshd>(this, {
      podTemplate: afterAll(Object.values(children), template) as pulumi.Output<AsInKubernetes>,
      hostPublicKey: publicKeys.apply(([first]) => first),
      ...clientOutputs(plan, publicKeys),
      status: hostStatus(plan, children.route),
    });
  }
}
