/** Service accounts and their tokens: identities of programs, in the cluster and in a cloud. */
import { at } from "../finding.ts";
import { type Inputs, mapAt, type ObjectPair } from "../objects.ts";
import { crosses, type Effect, gains } from "./effect.ts";

// Annotations that give an identity in a cloud: https://docs.aws.amazon.com/eks,
// https://cloud.google.com/kubernetes-engine, https://azure.github.io/azure-workload-identity
const cloudIdentity =
  /^(eks\.amazonaws\.com\/role-arn|iam\.gke\.io\/gcp-service-account|azure\.workload\.identity\/)/;

export function accountDeciding(inputs: Inputs): Record<string, unknown> {
  return {
    annotations: cloudIdentities(inputs),
    automountServiceAccountToken: inputs.automountServiceAccountToken,
  };
}

function cloudIdentities(inputs: Inputs | undefined): Record<string, unknown> {
  const all = mapAt(inputs, "metadata", "annotations");
  return Object.fromEntries(Object.entries(all).filter(([name]) => cloudIdentity.test(name)));
}

export function accountEffects({ before, after }: ObjectPair): Effect[] {
  if (after === undefined) return [];
  const [was, is] = [cloudIdentities(before), cloudIdentities(after)];
  const identities = Object.entries(is)
    .filter(([name, value]) => was[name] !== value)
    .map(([name, value]) => crosses("cluster-rights", `it is ${value} outside of the cluster (${name})`));
  const mounts = (inputs: Inputs | undefined) =>
    inputs !== undefined && inputs.automountServiceAccountToken !== false;
  const token =
    before !== undefined && mounts(after) && !mounts(before)
      ? [crosses("pod-privileges", "its pods hold its token of the Kubernetes API unless they say otherwise")]
      : [];
  return [...identities, ...token, ...(before === undefined ? [gains("the account is new")] : [])];
}

export function secretEffects({ before, after }: ObjectPair): Effect[] {
  const type = "kubernetes.io/service-account-token";
  if (at(after, "type") !== type || at(before, "type") === type) return [];
  return [crosses("pod-privileges", "it holds a token of the Kubernetes API that never expires")];
}
