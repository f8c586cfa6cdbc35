/** Secret variables of a pod: the values in a Secret of the container's own. */

import { keyedMark, slowMark } from "../common/crypto.ts";
import { secret } from "../common/data.ts";
import { prefix } from "../common/labels.ts";
import { ifAny, type Manifest } from "../common/manifest.ts";
import type { Placed } from "../common/placed.ts";
import { type SecretValues, secretSources } from "../common/pod.ts";
import type { DevContainerParsed } from "./args.ts";
import type { EnvSources } from "./args-environment.ts";
import type { DevContainerPlan } from "./plan.ts";

/** Annotation of the pod with the mark of the values, which are read at start. */
export const secretEnvAnnotation = `${prefix}/secret-env`;

/** The key of a variable in the Secret: its name, below that of the init container or sidecar that has it. */
const keyOf = (name: string, helper?: string) => (helper === undefined ? name : `${helper}.${name}`);

/** Every secret variable of the pod, by its key in the Secret; undefined where there is none. */
export function secretEnvOf({
  secretEnv,
  initContainers,
  sidecars,
}: Pick<DevContainerParsed, "secretEnv" | "initContainers" | "sidecars">):
  | Readonly<Record<string, Placed<string>>>
  | undefined {
  const helpers = [...initContainers, ...sidecars].flatMap((helper) =>
    Object.entries(helper.secretEnv).map(([name, value]) => [keyOf(name, helper.name), value] as const),
  );
  return ifAny({ ...secretEnv, ...Object.fromEntries(helpers) });
}

/** @param values secret: those of {@link secretEnvOf} */
export function secretEnvSecret(plan: DevContainerPlan, values: SecretValues): Manifest<"Secret"> {
  return secret(plan.names.secretEnv, plan, values);
}

/**
 * Variables of the pod's own sources and of the container's Secret.
 * @param helper the init container or sidecar that has them; none for the container itself
 */
export function envSources(
  { names }: Pick<DevContainerPlan, "names">,
  { envValueFrom, secretEnv }: Pick<DevContainerParsed, "envValueFrom" | "secretEnv">,
  helper?: string,
): EnvSources {
  return { ...envValueFrom, ...secretSources(names.secretEnv, secretEnv, (name) => keyOf(name, helper)) };
}

/**
 * The mark of the values.
 * @param key the secret that the host key is made of, if there is one
 */
export function secretEnvMark(
  place: string,
  values: Readonly<Record<string, string>>,
  key: string | undefined,
): string {
  const text = JSON.stringify(values);
  return key === undefined ? slowMark(place, text) : keyedMark(key, place, text);
}
