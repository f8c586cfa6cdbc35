import { fileURLToPath } from "node:url";

/**
 * Where the sshd archives are: the folder that `DRAWBRIDGE_SSHD_BUNDLE` names, else `bundle` of this package.
 * This file stays directly in `src`, as its code comes to stand directly in `dist`.
 */
export function bundleFolder(env: Readonly<Record<string, string | undefined>> = process.env): string {
  return env.DRAWBRIDGE_SSHD_BUNDLE ?? fileURLToPath(new URL("../bundle", import.meta.url));
}
