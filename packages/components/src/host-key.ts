import {
  containerHostKey,
  type DevContainerPlan,
  type HostKey,
  type Placed,
  readHostKey,
} from "@drawbridge-iac/manifests";
import * as pulumi from "@pulumi/pulumi";
import { output, settled } from "./inputs.ts";

type HostKeyArgs = NonNullable<DevContainerPlan["hostKey"]>;

/** Of whom a key is, and what it is made of. */
interface Keyed {
  readonly hostKey: HostKeyArgs;
  readonly hostIdentity: Placed<string>;
}

/** The keys of a host with a sshd of ours. */
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

/** The key from whichever of seed and private key was given (the schema saw to it that one was). */
function resolve(plan: Keyed, { seed, privateKey, generation }: Source): pulumi.Output<HostKey> {
  const key =
    seed === undefined
      ? output(privateKey as Placed<string>).apply(readHostKey)
      : settled({ seed, identity: plan.hostIdentity }).apply((known) =>
          containerHostKey(known.identity, known.seed, generation),
        );
  return pulumi.secret(key);
}
