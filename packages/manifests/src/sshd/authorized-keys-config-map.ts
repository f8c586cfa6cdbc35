import { configMap } from "../common/data.ts";
import type { Manifest } from "../common/manifest.ts";
import { isEmpty, type Placed, whenListed } from "../common/placed.ts";
import type { SshdPlan } from "./plan.ts";

/**
 * Mounted as a directory, never by subPath, so that a change reaches the running container.
 * @param keys text of authorized_keys
 * @param caKeys text of the user CA's public keys, if there is one
 */
export function authorizedKeysConfigMap(
  plan: SshdPlan,
  keys: Placed<string>,
  caKeys?: Placed<string>,
): Manifest<"ConfigMap"> {
  return configMap(plan.names.authorizedKeys, plan, {
    authorized_keys: keys,
    user_ca_keys: caKeys,
    principals: plan.userCa === undefined ? undefined : principalsText(plan.userCa, plan.user),
  });
}

/** A certificate must name one of these; by default the login name. */
function principalsText(
  { principals }: NonNullable<SshdPlan["userCa"]>,
  user: SshdPlan["user"],
): Placed<string> {
  const names = isEmpty(principals) ? [user.name] : principals;
  return whenListed(names, (known) => `${known.join("\n")}\n`);
}
