/** What pods are put together of: volumes with their mounts, a container's `env`. */

import { type Input, type InputList, ifThere, isEmpty, known, whenKnown } from "../kit/input.ts";
import type { RaiseFault } from "../kit/schema.ts";
import type { Container, PodSpec, Volume } from "./kinds.ts";
import { compact } from "./manifest.ts";
import { groupReadable } from "./security.ts";

/** One mount of a container. */
export interface Mount {
  readonly name: Input<string>;
  readonly mountPath: Input<string>;
  readonly readOnly?: Input<boolean>;
  readonly subPath?: Input<string>;
}

/** The pod's field that names the Secrets by which its images are pulled, if there are any. */
export const pulledWith = (names: InputList<string>): Pick<PodSpec, "imagePullSecrets"> =>
  isEmpty(names) ? {} : { imagePullSecrets: whenKnown(names, (list) => list.map((name) => ({ name }))) };

/** A mount's `readOnly`, left out where it says nothing. */
export const readOnlyIf = (readOnly: Input<boolean>): Pick<Mount, "readOnly"> =>
  compact({ readOnly: ifThere(whenKnown(readOnly, (isSet) => (isSet ? isSet : undefined))) });

/** A mount, without what says nothing. */
export const mountOf = (
  name: Input<string>,
  {
    mountPath,
    subPath,
    readOnly,
  }: Pick<Mount, "mountPath"> & {
    readonly subPath?: Input<string> | undefined;
    readonly readOnly: Input<boolean>;
  },
): Mount => ({
  name,
  mountPath,
  ...compact({ subPath }),
  ...readOnlyIf(readOnly),
});

/** A part of a pod: all volumes, mounts and side containers that belong together. */
export interface PodPart {
  readonly volumes?: readonly Volume[];
  /** Mounts in the main container. */
  readonly mounts?: readonly Mount[];
  readonly initContainers?: readonly Container[];
  /** Fields merged into the main container. */
  readonly main?: Partial<Container>;
}

/** One part of several: their lists concatenated. */
export function joinParts(parts: readonly PodPart[]) {
  return {
    volumes: parts.flatMap((part) => part.volumes ?? []),
    mounts: parts.flatMap((part) => part.mounts ?? []),
    initContainers: parts.flatMap((part) => part.initContainers ?? []),
    main: Object.assign({}, ...parts.map((part) => part.main ?? {})) as Partial<Container>,
  };
}

/** Secrets that the pod's group may read are for everybody in the pod where it has no group: nobody else is in there. */
export function readable(volume: Volume, fsGroup: Input<number> | undefined): Volume {
  if (fsGroup !== undefined) return volume;
  const { secret, projected } = volume as Record<
    "secret" | "projected",
    { defaultMode?: number } | undefined
  >;
  const opened = <T extends { defaultMode?: number }>(source: T | undefined) =>
    source?.defaultMode === groupReadable ? { ...source, defaultMode: 0o444 } : source;
  return compact({ ...volume, secret: opened(secret), projected: opened(projected) }) as Volume;
}

/** The token of a service account, by which a program of ours asks the API server; the kubelet renews it. */
export const apiAccess = {
  volume: {
    name: "api-access",
    projected: {
      sources: [
        { serviceAccountToken: { path: "token", expirationSeconds: 3600 } },
        { configMap: { name: "kube-root-ca.crt", items: [{ key: "ca.crt", path: "ca.crt" }] } },
      ],
    },
  },
  mount: { name: "api-access", mountPath: "/var/run/secrets/kubernetes.io/serviceaccount", readOnly: true },
};

/** Secret: the values of variables by the keys of their Secret. */
export type SecretValues = Readonly<Record<string, Input<string>>>;

/**
 * Sources of variables whose values are secret. The pod refers to them by plain names: one secret in a container's `env`
 * would hide all of the pod's containers in a preview, whatever else changes there.
 * @param keyOf where a variable is in the Secret
 */
export function secretSources(secret: string, variables: object, keyOf = (name: string) => name) {
  return Object.fromEntries(
    Object.keys(variables).map((name) => [name, { secretKeyRef: { name: secret, key: keyOf(name) } }]),
  );
}

/** Variables with sources as a container's `env`. */
export function sourcedEnv(sources: Readonly<Record<string, object>>) {
  return Object.entries(sources).map(([name, valueFrom]) => ({ name, valueFrom }));
}

/** Variables with values as a container's `env`. The kubelet would expand `$(NAME)`, so each dollar sign is doubled. */
export function literalEnv(environment: Readonly<Record<string, Input<string>>>) {
  return Object.entries(environment).map(([name, value]) => ({
    name,
    ...(known(value) === "" ? {} : { value: whenKnown(value, (text) => text.replaceAll("$", "$$$$")) }),
  }));
}

/** Raises a fault for each variable that two of the fields give. */
export function checkVariables(
  path: readonly PropertyKey[],
  fields: Readonly<Record<string, object | undefined>>,
  fault: RaiseFault,
): void {
  const given = new Map<string, string>();
  for (const [field, variables = {}] of Object.entries(fields)) {
    for (const name of Object.keys(variables)) {
      const other = given.get(name);
      if (other !== undefined) fault`${path}.${field}.${name}: is set in ${other} too; remove one of the two`;
      else given.set(name, field);
    }
  }
}
