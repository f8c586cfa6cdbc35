/**
 * Which contexts of the kubeconfig host names may lead to. A link or the address of a submodule can hold any host name,
 * and a login starts an sshd in a pod, so the user says once in which clusters that may be.
 */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { CliError } from "../faults.ts";
import { readOptional, replace, stateFolder } from "../files.ts";

const file = () => join(stateFolder(), "contexts");

/** Those that the user allowed, one a line; undefined where nothing was ever said. */
async function allowedContexts(): Promise<readonly string[] | undefined> {
  const text = await readOptional(file());
  return text
    ?.toString()
    .split(/\r?\n/)
    .filter((line) => line !== "");
}

/**
 * Keeps what the user allows in the place of what was allowed before.
 * @param names none keeps that; the first time it is the current one
 * @param current reads the current context; undefined where there is none
 * @returns what is allowed from now on
 */
export async function allowContexts(
  names: readonly string[],
  current: () => Promise<string | undefined>,
): Promise<readonly string[]> {
  const before = await allowedContexts();
  if (names.length === 0 && before !== undefined) return before;
  const chosen = names.length > 0 ? names : [(await current()) ?? []].flat();
  if (chosen.length === 0) return [];
  await mkdir(stateFolder(), { recursive: true, mode: 0o700 });
  await replace(file(), chosen.map((name) => `${name}\n`).join(""));
  return chosen;
}

/**
 * Throws unless a host name may lead to the context. Where nothing was said, that is the current one alone, which the
 * name then does not have to say.
 * @param isChosen whether the name says a context
 */
export async function checkContext(context: string, isChosen: boolean): Promise<void> {
  const allowed = await allowedContexts();
  if (allowed === undefined ? !isChosen : allowed.includes(context)) return;
  const words = [...(allowed ?? []), context].map((name) => `--context ${JSON.stringify(name)}`).join(" ");
  throw new CliError(
    `host names may not lead to the context ${JSON.stringify(context)}; allowed: ${allowed?.join(", ") || "the current one, unnamed"}; if you mean it, allow it: drawbridge ssh-config --sshpod ${words}`,
  );
}
