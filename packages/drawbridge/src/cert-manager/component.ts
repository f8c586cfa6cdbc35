/**
 * Installs cert-manager. An entry of its own, `@drawbridge-iac/drawbridge/cert-manager`: only programs that import it
 * need `@pulumi/kubernetes-cert-manager`, whose plugin and chart come from the network.
 */

import {
  CertManager as CertManagerRelease,
  type CertManagerArgs as CertManagerReleaseArgs,
} from "@pulumi/kubernetes-cert-manager";
import * as pulumi from "@pulumi/pulumi";
import type { CertManagerArgs } from "../generated/cert-manager.ts";
import { prepare } from "../kubernetes/registration/construct.ts";
import { output } from "../kubernetes/registration/outputs.ts";
import { setOutputs } from "../kubernetes/registration/register.ts";
import { certManager } from "./descriptor.ts";
import { certManagerRelease } from "./objects.ts";

export type { CertManagerArgs } from "../generated/cert-manager.ts";

/**
 * cert-manager, once for a cluster, by `@pulumi/kubernetes-cert-manager`. A cluster that has it needs none of this:
 * name its issuer in the gateway's `listeners.tls.certificate`.
 *
 * @example
 * ```ts
 * const certManager = new CertManager("cert-manager", { version: "v1.20.3" });
 * new SshGateway("ssh-ingress", { … }, { dependsOn: [certManager] });
 * ```
 */
export class CertManager extends pulumi.ComponentResource {
  /** The namespace in which cert-manager runs. */
  public readonly namespace!: pulumi.Output<string>;

  constructor(name: string, args: CertManagerArgs = {}, opts?: pulumi.ComponentResourceOptions) {
    const { faulty, token, inputs, plan, child, register } = prepare(certManager, name, args, opts);
    if (faulty) return faulty(new.target);
    super(token, name, inputs, opts);
    const { namespace } = register(this).children;
    const release = certManagerRelease(plan) as CertManagerReleaseArgs;
    new CertManagerRelease(
      `${name}-release`,
      release,
      pulumi.mergeOptions({ parent: this, ...child }, { dependsOn: namespace ?? [] }),
    );
    setOutputs<CertManager>(this, { namespace: output(plan.namespace) });
  }
}
