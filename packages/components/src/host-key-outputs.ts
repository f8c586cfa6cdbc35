/** Host keys of a component as Outputs: given ones read, others derived, both by `ssh/host-key.ts` of the manifests. */
import {
  type DevContainerPlan,
  deriveHostKey,
  type HostKey,
  type Placed,
  readHostKey,
} from "@drawbridge-iac/manifests";
import * as pulumi from "@pulumi/pulumi";
import { output, settled } from "./inputs.ts";

type HostKeyArgs = NonNullable<DevContainerPlan["hostKey"]>;

/** The source of a host key, and the identity that it is for. */
interface Keyed {
  readonly hostKey: HostKeyArgs;
  readonly hostIdentity: Placed<string>;
}

/** Host keys of a host whose sshd is ours. */
export function hostKeys(plan: Keyed) {
  const { next } = plan.hostKey;
  const current = resolve(plan, plan.hostKey);
  const coming = next && resolve(plan, next);
  const all = coming === undefined ? [current] : [current, coming];
  return {
    privateKey: current.privateKey,
    nextPrivateKey: coming?.privateKey,
    publicKeys: pulumi.unsecret(pulumi.all(all.map(({ publicKey }) => publicKey))),
  };
}

type Source = Pick<HostKeyArgs, "seed" | "privateKey" | "generation">;

/** The key, derived from the seed or read from the private key; the schema requires one of the two. */
function resolve(plan: Keyed, { seed, privateKey, generation }: Source): pulumi.Output<HostKey> {
  const key =
    seed === undefined
      ? output(privateKey as Placed<string>).apply(readHostKey)
      : settled({ seed, identity: plan.hostIdentity }).apply((known) =>
          deriveHostKey(known.seed, known.identity, generation),
        );
  return pulumi.secret(key);
}
