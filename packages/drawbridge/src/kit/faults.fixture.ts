import type { ArgsError } from "./args-error.ts";

/** What is wrong, in a message that goes on with how to mend it. */
export const whatIsWrong = ({ message }: { readonly message: string }): string =>
  message.split("; ")[0] ?? "";

/** The faults for which `make` refuses its arguments, as `path: what is wrong`. */
export function faultsFrom(make: () => unknown): string[] {
  try {
    make();
    return [];
  } catch (error) {
    return (error as ArgsError).issues.map((issue) => `${issue.path}: ${whatIsWrong(issue)}`);
  }
}
