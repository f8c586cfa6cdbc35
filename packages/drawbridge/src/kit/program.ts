/** Programs in other languages: each is a file beside its builder, and `npm run generate` embeds it in `generated/programs.ts`. */

declare const placeholders: unique symbol;

/**
 * The text of a program. The builder fills in a text for `@NAME@`, and says whether a line stays that ends with
 * `# @NAME?@`.
 */
export type Program<Text extends string = never, Line extends string = never> = string & {
  readonly [placeholders]?: readonly [Text, Line];
};

const optionalLine = /^(.*) # @([A-Z][A-Z_]*)\?@\n/gm;
const placeholder = /@([A-Z][A-Z_]*)(\?)?@/g;

/**
 * A program with its placeholders filled in.
 * @throws if a placeholder has no value of its kind, or a value no placeholder
 */
export function filled<Text extends string, Line extends string>(
  program: Program<Text, Line>,
  values: Readonly<Record<NoInfer<Text>, string | number> & Record<NoInfer<Line>, boolean>>,
): string {
  const given: Readonly<Record<string, unknown>> = values;
  const asked = new Map([...program.matchAll(placeholder)].map(([, name = "", line]) => [name, line]));
  const isOfItsKind = (value: unknown, line?: string) =>
    (line === undefined ? ["string", "number"] : ["boolean"]).includes(typeof value);
  const faults = [
    ...[...program.matchAll(/@([A-Z][A-Z_]*)\?@(?!\n)/g)].map(([found]) => `${found} does not end its line`),
    ...[...asked]
      .filter(([name, line]) => !isOfItsKind(given[name], line))
      .map(([name]) => `@${name}@ has no value`),
    ...Object.keys(given)
      .filter((name) => !asked.has(name))
      .map((name) => `there is no @${name}@ for its value`),
  ];
  if (faults.length > 0) throw new Error(`a program cannot be filled in: ${faults.join("; ")}`);
  return program
    .replace(optionalLine, (_, line: string, name: string) => (given[name] ? `${line}\n` : ""))
    .replace(placeholder, (_, name: string) => String(given[name]));
}
