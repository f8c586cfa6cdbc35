import { fileURLToPath } from "node:url";
import { isExecutable } from "./embedded.ts";

/**
 * Where the sshd archives are: the folder that `DRAWBRIDGE_SSHD_BUNDLE` names, else `bundle` of this package, or nothing
 * where they are inside the executable.
 * This file stays directly in `src`, as its code comes to stand directly in `dist`.
 */
export function bundleFolder(
  env: Readonly<Record<string, string | undefined>> = process.env,
): string | undefined {
  if (env.DRAWBRIDGE_SSHD_BUNDLE) return env.DRAWBRIDGE_SSHD_BUNDLE;
  return isExecutable() ? undefined : fileURLToPath(new URL("../bundle", import.meta.url));
}
