/** Host keys of a component as Outputs: given ones read, others derived, both by `ssh/host-key.ts` of the manifests. */
import { type HostKeyed, type HostKeySource, hostKeyOf } from "@drawbridge-iac/manifests";
import * as pulumi from "@pulumi/pulumi";
import { settled } from "./inputs.ts";

export function hostKeys({ hostKey, hostIdentity }: HostKeyed) {
  const resolve = (source: HostKeySource) =>
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
