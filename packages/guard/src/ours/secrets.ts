/** What components make of secrets: the real thing where those are shown, as to a policy pack, else what stands for it. */
import { secretEnvOf } from "@drawbridge-iac/drawbridge/src/dev-container/environment";
import type { DevContainerPlan } from "@drawbridge-iac/drawbridge/src/dev-container/plan";
import { deriveServerCertificate } from "@drawbridge-iac/drawbridge/src/frp-server/certificate";
import { certificateNames, type FrpServerPlan } from "@drawbridge-iac/drawbridge/src/frp-server/plan";
import { deriveMetricsPassword } from "@drawbridge-iac/drawbridge/src/frp-server/secrets";
import type { FrpcSecrets } from "@drawbridge-iac/drawbridge/src/host/frpc/objects";
import { frpTokenHash, frpTokenOf, type Tokened } from "@drawbridge-iac/drawbridge/src/host/frpc/token";
import {
  type HostKeyed,
  type HostKeySource,
  hostKeyOf,
} from "@drawbridge-iac/drawbridge/src/host/keys/host-key";
import type { Settled } from "@drawbridge-iac/drawbridge/src/kit/placed";
import { standIn, whenShown } from "./stand-in.ts";

export const secret = <T, U>(of: T, make: (known: Settled<T>) => U) => whenShown(of, make, "secret");
/** Public, made of a secret. */
const derived = <T, U>(of: T, make: (known: Settled<T>) => U) => whenShown(of, make, "derived");

export function hostKeys({ hostKey, hostIdentity }: HostKeyed) {
  const privateKeyOf = (source: HostKeySource) =>
    hostKeyOf(source, hostIdentity, (of, make) => secret(of, (known) => make(known).privateKey));
  const publicKeyOf = (source: HostKeySource) =>
    hostKeyOf(source, hostIdentity, (of, make) => derived(of, (known) => make(known).publicKey));
  const { next } = hostKey;
  const publicKeys = [hostKey, ...(next ? [next] : [])].map(publicKeyOf);
  return {
    privateKey: privateKeyOf(hostKey),
    nextPrivateKey: next && privateKeyOf(next),
    publicKeys: derived(publicKeys, (known) => [...known]),
  };
}

export function frpcSecrets(plan: Tokened): FrpcSecrets | undefined {
  if (plan.frpc === undefined) return undefined;
  return {
    token: frpTokenOf(plan, (of, make) => secret(of, make)),
    tokenSha256: frpTokenOf(plan, (of, make) => derived(of, (known) => frpTokenHash(make(known)))),
  };
}

/** The mark is made of the variables in their order, which no preview keeps. */
export function environment(plan: DevContainerPlan) {
  const all = secretEnvOf(plan);
  return all && { values: variables(all), mark: standIn<string>("derived") };
}

export const variables = (all: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(
    Object.entries(all).map(([name, value]) => [name, secret(value as string, (known) => known)]),
  );

export function serverSecrets(plan: FrpServerPlan) {
  const { seed, identity, tls } = plan;
  const of = { seed, identity, names: certificateNames(plan) };
  const certificate = (known: Settled<typeof of>) =>
    deriveServerCertificate(known.seed, known.identity, known.names);
  const caBundle = derived(of, (known) => certificate(known).caBundle);
  return {
    metricsPassword: secret({ seed, identity }, (known) => deriveMetricsPassword(known.seed, known.identity)),
    caBundle: tls?.caBundle ?? caBundle,
    certificate:
      tls === undefined
        ? {
            caBundle,
            certificate: secret(of, (known) => certificate(known).certificate),
            privateKey: secret(of, (known) => certificate(known).privateKey),
          }
        : undefined,
  };
}
