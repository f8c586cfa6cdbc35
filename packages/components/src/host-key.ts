import {
  containerHostKey,
  type DevContainerPlan,
  type HostKey,
  type Placed,
  readHostKey,
} from "@drawbridge-iac/manifests";
import * as pulumi from "@pulumi/pulumi";
import { output, settled } from "./inputs.ts";

type Keyed = Pick<DevContainerPlan, "hasSshd" | "hostKey" | "hostIdentity">;

/** The keys of a host that has a sshd of ours. */
export function hostKeys(plan: Keyed) {
  if (!plan.hasSshd || plan.hostKey === undefined) return undefined;
  const current = resolve(plan, plan.hostKey);
  const next = plan.hostKey.next === undefined ? undefined : resolve(plan, plan.hostKey.next);
  const all = next === undefined ? [current] : [current, next];
  return {
    privateKey: current.privateKey,
    nextPrivateKey: next?.privateKey,
    publicKeys: pulumi.unsecret(pulumi.all(all.map(({ publicKey }) => publicKey))),
  };
}

type Source = Pick<NonNullable<DevContainerPlan["hostKey"]>, "seed" | "privateKey" | "generation">;

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
