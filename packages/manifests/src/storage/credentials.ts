import { faultsIn } from "../common/args-error.ts";
import { secret } from "../common/data.ts";
import { textOf } from "../common/fault.ts";
import type { Manifest } from "../common/manifest.ts";
import type { Placed } from "../common/placed.ts";
import { accessPassword } from "./args.ts";
import type { StoragePlan } from "./plan.ts";

/** Key in the Secret under which dufs finds its rules. */
export const accessRulesKey = "rules";

/**
 * dufs's rules, one for each user: `user:password@/:ro|…`. With at least one rule, whoever has no password is
 * refused.
 * @param passwords in the order of the credentials
 */
export function accessRules(
  credentials: readonly { user: string; write: boolean }[],
  passwords: readonly string[],
): string {
  return credentials
    .map(({ user, write }, index) => {
      // A password that was not known when the arguments were checked is checked here.
      const checked = accessPassword.safeParse(passwords[index]);
      if (!checked.success) {
        throw new Error(
          `browse.credentials[${index}].password ${faultsIn(checked.error).map(textOf).join("; ")}`,
        );
      }
      return `${user}:${checked.data}@/:${write ? "rw" : "ro"}`;
    })
    .join("|");
}

/** @param rules secret: what {@link accessRules} made */
export function credentialsSecret(plan: StoragePlan, rules: Placed<string>): Manifest<"Secret"> {
  return secret(plan.names.credentials, plan, { [accessRulesKey]: rules });
}
