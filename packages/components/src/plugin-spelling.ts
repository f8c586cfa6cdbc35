/** How arguments are called in the language of the user's program, so that a fault names what stands there. */
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** The `runtime` of the Pulumi project around `folder`, where Pulumi starts its plugins; empty if there is none. */
export function languageOf(folder: string): string {
  for (const name of ["Pulumi.yaml", "Pulumi.yml"]) {
    try {
      const text = readFileSync(join(folder, name), "utf8");
      const [, plain, inner] = /^runtime:[ \t]*(?:([^\s{#]+)|\{?\s*name:[ \t]*([^\s,}]+))/m.exec(text) ?? [];
      return (plain ?? inner ?? "").replaceAll(/["']/g, "");
    } catch {
      // Not the project's folder.
    }
  }
  const above = dirname(folder);
  return above === folder ? "" : languageOf(above);
}

const styles: Readonly<Record<string, (name: string) => string>> = {
  python: (name) =>
    keywords.has(name) ? `${name}_` : name.replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2").toLowerCase(),
  go: (name) => name.charAt(0).toUpperCase() + name.slice(1),
  dotnet: (name) => name.charAt(0).toUpperCase() + name.slice(1),
};

/** Names that Python keeps for itself. */
const keywords = new Set(
  "and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield".split(
    " ",
  ),
);

/**
 * Respells the text of faults, a line for each: every known name in its path, and in the words behind it those that can
 * be nothing else.
 * @param language a project's `runtime`; one that writes names as the schema does changes nothing
 * @param names the arguments' names
 */
export function spelling(language: string, names: ReadonlySet<string>): (faults: string) => string {
  const style = styles[language];
  if (style === undefined) return (faults) => faults;
  const known = (word: string) => (names.has(word) ? style(word) : word);
  return (faults) =>
    faults
      .split("\n")
      .map((line) => {
        const [, path, words] = /^( {2}- [^\s:]+: )(.*)$/.exec(line) ?? ["", "", line];
        return `${path?.replaceAll(/\w+/g, known)}${words?.replaceAll(/\w+/g, (word) => (/[a-z][A-Z]/.test(word) ? known(word) : word))}`;
      })
      .join("\n");
}
