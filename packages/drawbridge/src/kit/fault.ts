/** Faults of arguments, as data. One table turns them into text at the end. */
import { type Code, texts, unguessed } from "./fault-texts.ts";
import { isDeferred } from "./placed.ts";
import { Secret, secretWord } from "./secret.ts";

export type { Code } from "./fault-texts.ts";

/** Names of the placeholders in a fault's text. */
type Places<Text extends string> = Text extends `${string}{{${infer Name}}}${infer Rest}`
  ? Name | Places<Rest>
  : never;

/** Values for the placeholders of a code's text. The faulty value itself is added by the reporter of the fault. */
type Filled<C extends Code> = Exclude<
  Places<(typeof texts)[C]> | (C extends keyof typeof unguessed ? Places<(typeof unguessed)[C]> : never),
  "value"
>;

/** A suggestion for a misspelt word. */
interface Meant {
  readonly meant?: string | undefined;
}

/** The parameters of a code. */
export type Params<C extends Code> = { readonly [Name in Filled<C>]: unknown } & Meant;

type Given<C extends Code> = [Filled<C>] extends [never] ? [params?: Meant] : [params: Params<C>];

/** A fault without its place. */
export interface Wrong {
  readonly code: Code;
  readonly params: Readonly<Record<string, unknown>> & Meant;
  /** Whether the value may not be repeated. */
  readonly isSecret?: boolean;
}

/** A fault at one place of a component's arguments. */
export interface Fault extends Wrong {
  readonly path: readonly PropertyKey[];
}

/** Reports a fault at a path. */
export type RaiseFault = <C extends Code>(path: readonly PropertyKey[], code: C, ...params: Given<C>) => void;

export function wrong<C extends Code>(code: C, ...[params]: Given<C>): Wrong {
  return { code, params: { ...params } };
}

/** A zod issue's `params` that carry a fault of this code. */
export const says = <C extends Code>(code: C, ...params: Given<C>) => ({
  params: { wrong: wrong(code, ...params) },
});

/** For zod's checks that take only a message text: the code goes where the message would. */
export const code = (of: Code): string => of;

/** The code for a value of the wrong type; none for an absent value, which is reported as missing. */
export const unlessMissing =
  (of: Code) =>
  ({ input }: { readonly input?: unknown }) =>
    input === undefined || input === null ? undefined : of;

/** The code for an absent value; none for a value of the wrong type. */
export const ifMissing =
  (of: Code | undefined) =>
  ({ input }: { readonly input?: unknown }) =>
    input === undefined ? of : undefined;

/** Thrown by parsers of single texts, which do not know the text's path. */
export class WrongText extends Error {
  readonly wrong: Wrong;

  constructor(found: Wrong) {
    super(textOf(found));
    this.wrong = found;
  }
}

/** The text of a fault. */
export function textOf({ code, params, isSecret = false }: Wrong): string {
  const { meant } = params;
  const hint =
    meant === undefined
      ? ((unguessed as Readonly<Record<string, string>>)[code] ?? "")
      : `; did you mean ${JSON.stringify(meant)}?`;
  return `${texts[code]}${hint}`.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => {
    if (name !== "value") return word(params[name]);
    return isSecret ? secretWord : showValue(params.value);
  });
}

function word(value: unknown): string {
  if (!Array.isArray(value)) return String(value);
  return value.length === 0 ? "none" : value.join(", ");
}

/** A value as fault texts show it: JSON, at most 80 characters. */
export function showValue(value: unknown): string {
  if (typeof value === "function") return "a function";
  if (value instanceof Secret) return secretWord;
  if (isDeferred(value)) return "an Output";
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}
