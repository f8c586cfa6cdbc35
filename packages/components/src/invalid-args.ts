import { ArgsError, issueOf, parseArgs, Unchecked } from "@drawbridge-iac/manifests";
import * as pulumi from "@pulumi/pulumi";
import type { z } from "zod";
import { output } from "./inputs.ts";

/**
 * All faults of a component's arguments. The engine prints its message without a stack, whether the component
 * runs in the user's program or in a plugin.
 */
export class InvalidArgsError extends pulumi.InputPropertiesError {
  // Pulumi recognises its own error classes by fields like this one, not by instanceof.
  readonly __pulumiRunError = true;
  readonly issues: ArgsError["issues"];

  constructor(error: ArgsError) {
    // The second argument would make the engine print values, secrets included; the message says it all.
    super({ message: error.message, errors: [] });
    this.name = "InvalidArgsError";
    this.issues = error.issues;
    // Where it was thrown is in this library, and a plugin would print it.
    this.stack = this.message;
  }

  /** The same faults, and a sentence behind them. */
  with(sentence: string): this {
    this.message = `${this.message}\n${sentence}`;
    this.stack = this.message;
    return this;
  }
}

/**
 * Called before super(), so that a component with faults registers nothing. A value that is known later is checked then:
 * no object that uses a wrong one is made.
 */
export function checkArgs<S extends z.ZodType>(
  component: string,
  name: string,
  schema: S,
  args: unknown,
): z.output<S> {
  try {
    return checkedLater(parseArgs(component, name, schema, args), { component, name }, []) as z.output<S>;
  } catch (error) {
    throw error instanceof ArgsError ? new InvalidArgsError(error) : error;
  }
}

interface Owner {
  readonly component: string;
  readonly name: string;
}

/** `value` with every deferred leaf in it made an Output that fails where the leaf is at fault. */
function checkedLater(value: unknown, owner: Owner, path: readonly PropertyKey[]): unknown {
  if (value instanceof Unchecked) return checkedOutput(value as Unchecked<unknown>, owner, path);
  if (Array.isArray(value)) return value.map((inner, index) => checkedLater(inner, owner, [...path, index]));
  if (!isPlain(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, checkedLater(inner, owner, [...path, key])]),
  );
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

function checkedOutput(
  { value, faults }: Unchecked<unknown>,
  { component, name }: Owner,
  path: readonly PropertyKey[],
): pulumi.Output<unknown> {
  const given = output(value);
  return given.apply(async (known) => {
    const found = faults(known);
    if (found.length === 0) return known;
    const secret = await pulumi.isSecret(given);
    const issues = found.map((fault) =>
      issueOf({ ...fault, path: [...path, ...fault.path], isSecret: secret }),
    );
    throw new InvalidArgsError(new ArgsError(component, name, issues, "what uses them was not made"));
  });
}
