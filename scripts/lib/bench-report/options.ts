/** The arguments of `npm run bench`. */
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import type { Scenario } from "./scenario.ts";

export interface BenchOptions {
  /** Names of the scenarios to run, in their own order. */
  readonly only: readonly string[];
  /** The sizes that take hours, in place of the usual ones. */
  readonly full: boolean;
  /** Absolute path of the file for the figures; none by default. */
  readonly json?: string;
  /** Absolute path of an earlier run's document, to be told which ratios got worse; none by default. */
  readonly compare?: string;
}

/** Arguments that cannot be used; the message says what is allowed. */
export class UsageError extends Error {}

export const usage = "npm run bench [-- [--only NAME]... [--json FILE] [--compare FILE] [--full]]";

/**
 * Reads the arguments, all faults at once.
 * @param scenarios every one there is; without `--only` all of them run, with `--full` all that have such sizes
 */
export function parseOptions(
  args: readonly string[],
  scenarios: readonly Pick<Scenario, "name" | "runFull">[],
): BenchOptions {
  const { values } = parsed(args);
  const full = values.full ?? false;
  const names = scenarios.filter(({ runFull }) => !full || runFull).map(({ name }) => name);
  const only = new Set(values.only ?? names);
  const unknown = [...only].filter((name) => !names.includes(name));
  if (unknown.length > 0) {
    throw new UsageError(
      `there is no scenario ${unknown.map((name) => `"${name}"`).join(" or ")}${full ? " with --full" : ""}; use one of ${names.join(", ")}`,
    );
  }
  return {
    only: names.filter((name) => only.has(name)),
    full,
    ...(values.json === undefined ? {} : { json: resolve(values.json) }),
    ...(values.compare === undefined ? {} : { compare: resolve(values.compare) }),
  };
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        only: { type: "string", multiple: true },
        json: { type: "string" },
        compare: { type: "string" },
        full: { type: "boolean" },
      },
    });
  } catch (error) {
    // Node's message has a hint for programmers behind its first sentence.
    const [first = ""] = (error as Error).message.split(/\. /);
    throw new UsageError(`${first.replace(/\.$/, "")}; usage: ${usage}`);
  }
}
