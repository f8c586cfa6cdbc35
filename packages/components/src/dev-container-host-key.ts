import {
  containerHostKey,
  type DevContainerPlan,
  type HostKey,
  type Placed,
  readHostKey,
} from "@drawbridge-iac/manifests";
import * as pulumi from "@pulumi/pulumi";
import { output, settled } from "./inputs.ts";

/** The keys of a container that has a sshd. */
export function hostKeys(plan: DevContainerPlan) {
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
function resolve(plan: DevContainerPlan, { seed, privateKey, generation }: Source): pulumi.Output<HostKey> {
  const key =
    seed === undefined
      ? output(privateKey as Placed<string>).apply(readHostKey)
      : settled({ seed, identity: plan.hostIdentity }).apply((known) =>
          containerHostKey(known.identity, known.seed, generation),
        );
  return pulumi.secret(key);
}
