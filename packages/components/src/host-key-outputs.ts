/** Host keys of a component as Outputs: given ones read, others derived, both by `ssh/host-key.ts` of the manifests. */
import { type DevContainerPlan, hostKeyOf, type Placed } from "@drawbridge-iac/manifests";
import * as pulumi from "@pulumi/pulumi";
import { settled } from "./inputs.ts";

type HostKeyArgs = NonNullable<DevContainerPlan["hostKey"]>;

/** The source of a host key, and the identity that it is for. */
interface Keyed {
  readonly hostKey: HostKeyArgs;
  readonly hostIdentity: Placed<string>;
}

/** Host keys of a host whose sshd is ours. */
export function hostKeys(plan: Keyed) {
  const { hostKey, hostIdentity } = plan;
  const resolve = (source: Parameters<typeof hostKeyOf>[0]) =>
    hostKeyOf(source, hostIdentity, (of, make) => pulumi.secret(settled(of).apply(make)));
  const current = resolve(hostKey);
  const coming = hostKey.next && resolve(hostKey.next);
  const all = coming === undefined ? [current] : [current, coming];
  return {
    privateKey: current.privateKey,
    nextPrivateKey: coming?.privateKey,
    publicKeys: pulumi.unsecret(pulumi.all(all.map(({ publicKey }) => publicKey))),
  };
}
