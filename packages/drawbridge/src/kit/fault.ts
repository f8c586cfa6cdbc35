/** What is wrong with arguments: a text that goes on after the path of an argument. */
import { isDeferred } from "./input.ts";
import { Secret, secretWord } from "./secret.ts";

/** What is asked of a problem by more than a reader. */
export type Kind =
  | "default-name"
  | "exposed"
  | "no-way-in"
  | "no-frp-server"
  | "no-egress-gateway"
  | "no-gateway";

/** What is wrong, without its place. */
export interface Problem {
  /** `{{value}}` in it stands for the value. */
  readonly message: string;
  readonly kind?: Kind | undefined;
  readonly value?: unknown;
  /** Whether the value may not be repeated. */
  readonly isSecret?: boolean;
  /** A key that is not known there. */
  readonly unknownKey?: string | undefined;
  /** What the value should be, where it is of another type. */
  readonly wants?: "object" | "array" | undefined;
  /** What a misspelt word was meant to be. */
  readonly meant?: string | undefined;
}

/** A problem at one place of a component's arguments. */
export interface Fault extends Problem {
  readonly path: readonly PropertyKey[];
}

/**
 * Reports a problem at a path: fault`ports[${index}].name: ${name} is used twice; give each port its own name`. A list
 * in the path goes on in it, a list in the message is written by its items.
 */
export interface RaiseFault {
  (texts: readonly string[], ...values: readonly unknown[]): void;
  as(kind: Kind): RaiseFault;
}

export function raising(report: (path: PropertyKey[], problem: Problem) => void, kind?: Kind): RaiseFault {
  const raise = (texts: readonly string[], ...values: readonly unknown[]): void => {
    const path: PropertyKey[] = [];
    const before = texts.findIndex((text) => text.includes(": "));
    const [place = "", ...rest] = (texts[before] ?? "").split(": ");
    for (const [index, text] of [...texts.slice(0, before), place].entries()) {
      path.push(...text.split(/[.[\]]+/).filter((part) => part !== ""));
      if (index < before) path.push(...([values[index]].flat() as PropertyKey[]));
    }
    const words = texts.slice(before + 1).map((text, index) => `${word(values[before + index])}${text}`);
    report(path, { message: [rest.join(": "), ...words].join(""), kind });
  };
  return Object.assign(raise, { as: (kind: Kind) => raising(report, kind) });
}

const word = (value: unknown): string =>
  Array.isArray(value) ? listed(value) : isDeferred(value) ? "an Output" : String(value);

/** The message for a value of the wrong type; none for an absent value, which is reported as missing. */
export const unlessMissing =
  (message: string) =>
  ({ input }: { readonly input?: unknown }) =>
    input === undefined || input === null ? undefined : message;

/** The message for an absent value; none for a value of the wrong type. */
export const ifMissing =
  (message: string | undefined) =>
  ({ input }: { readonly input?: unknown }) =>
    input === undefined ? message : undefined;

/** Thrown by parsers of single texts, which do not know the text's path. */
export class InvalidText extends Error {}

/** The text of a problem. */
export const textOf = ({ message, value, isSecret = false }: Problem): string =>
  message.replaceAll("{{value}}", () => (isSecret ? secretWord : showValue(value)));

/** The end of a message about a word that may be misspelt. */
export const orMeant = (meant: string | undefined, otherwise = ""): string =>
  meant === undefined ? otherwise : `; did you mean ${JSON.stringify(meant)}?`;

export const listed = (words: readonly unknown[]): string =>
  words.length === 0 ? "none" : words.map(String).join(", ");

/** A value as messages show it: JSON, at most 80 characters. */
export function showValue(value: unknown): string {
  if (typeof value === "function") return "a function";
  if (value instanceof Secret) return secretWord;
  if (isDeferred(value)) return "an Output";
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}
