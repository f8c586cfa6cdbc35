import type { ArgsError } from "./args-error.ts";

/** The faults for which `make` refuses its arguments, as `path: code`. */
export function faultsFrom(make: () => unknown): string[] {
  try {
    make();
    return [];
  } catch (error) {
    return (error as ArgsError).issues.map(({ path, code }) => `${path}: ${code}`);
  }
}
