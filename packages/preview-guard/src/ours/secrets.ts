/** What components make of secrets: made again where those are shown, as to a policy pack; elsewhere what stands for it. */
import {
  certificateNames,
  type DevContainerPlan,
  deriveFrpToken,
  deriveHostKey,
  deriveMetricsPassword,
  deriveServerCertificate,
  type FrpcSecrets,
  type FrpServerPlan,
  frpTokenHash,
  type HostPlan,
  readHostKey,
  secretEnvOf,
  text,
} from "@drawbridge-iac/manifests";
import { standIn, whenShown } from "./stand-in.ts";

export const secret = <T, U>(of: T, make: (known: T) => U) => whenShown(of, make, "secret");
/** Public, made of a secret. */
export const derived = <T, U>(of: T, make: (known: T) => U) => whenShown(of, make, "derived");

type HostKeyArgs = NonNullable<DevContainerPlan["hostKey"]>;
type Keyed = Pick<DevContainerPlan, "hostIdentity"> & { readonly hostKey: HostKeyArgs };
type Source = Pick<HostKeyArgs, "seed" | "privateKey" | "generation"> & { readonly identity: unknown };

const readKey = ({ seed, privateKey, generation, identity }: Source) =>
  seed === undefined
    ? readHostKey(privateKey as string)
    : deriveHostKey(seed as string, identity as string, generation);

export function hostKeys({ hostKey, hostIdentity: identity }: Keyed) {
  const { seed, privateKey, generation, next } = hostKey;
  const current: Source = { seed, privateKey, generation, identity };
  const coming: Source | undefined = next && { ...next, identity };
  return {
    privateKey: secret(current, (known) => readKey(known).privateKey),
    nextPrivateKey: coming && secret(coming, (known) => readKey(known).privateKey),
    publicKeys: derived(coming ? [current, coming] : [current], (known) =>
      known.map((one) => readKey(one).publicKey),
    ),
  };
}

type Tokened = Pick<HostPlan, "namespace" | "name" | "frpc"> & Partial<Pick<DevContainerPlan, "hostKey">>;

export function frpcSecrets({ namespace, name, frpc, hostKey }: Tokened): FrpcSecrets | undefined {
  if (frpc === undefined) return undefined;
  const of = { token: frpc.token, seed: hostKey?.seed, identity: text`${namespace}/${name}` };
  const token = ({ token, seed, identity }: typeof of) =>
    (token as string | undefined) ?? deriveFrpToken(seed as string, identity as string);
  return { token: secret(of, token), tokenSha256: derived(of, (known) => frpTokenHash(token(known))) };
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
  const certificate = (known: typeof of) =>
    deriveServerCertificate(known.seed as string, known.identity as string, known.names as string[]);
  const caBundle = derived(of, (known) => certificate(known).caBundle);
  return {
    metricsPassword: secret(of, (known) =>
      deriveMetricsPassword(known.seed as string, known.identity as string),
    ),
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
