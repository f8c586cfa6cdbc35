import { parse } from "yaml";
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

type Case = [line: string, args: Record<string, unknown>, said: string[]];

/** A case a line: what is written, in YAML, where `null` leaves an argument out, and after each arrow what is said of it. */
export function cases({ raw }: TemplateStringsArray, ...values: readonly unknown[]): Case[] {
  const texts = values.map((value) => (typeof value === "string" ? value : JSON.stringify(value)));
  const lines = String.raw({ raw }, ...texts).split(/\n(?!\s*→)/);
  return lines
    .filter((line) => line.trim() !== "")
    .map((line) => {
      const [written = "", ...said] = line.trim().split(/\s+→ /);
      const args = Object.entries(parse(written)).map(([name, value]) => [name, value ?? undefined]);
      return [written, Object.fromEntries(args), said];
    });
}
