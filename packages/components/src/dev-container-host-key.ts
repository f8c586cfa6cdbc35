import {
  containerHostKey,
  type DevContainerPlan,
  type HostKey,
  type Placed,
  readHostKey,
} from "@drawbridge-iac/manifests";
import * as pulumi from "@pulumi/pulumi";
import { output, settled } from "./inputs.ts";
import type { DevContainerHostKeyArgs } from "./made/dev-container.ts";

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

/** A component's inputs are stored in Pulumi's state, so secrets among them must be marked before. */
export function secretHostKey(args: DevContainerHostKeyArgs | undefined): pulumi.Inputs | undefined {
  if (args === undefined) return undefined;
  const marked = { ...args, ...secretSource(args) };
  return args.next === undefined ? marked : { ...marked, next: { ...args.next, ...secretSource(args.next) } };
}

function secretSource({ seed, privateKey }: Pick<DevContainerHostKeyArgs, "seed" | "privateKey">) {
  return {
    ...(seed === undefined ? {} : { seed: pulumi.secret(seed) }),
    ...(privateKey === undefined ? {} : { privateKey: pulumi.secret(privateKey) }),
  };
}
