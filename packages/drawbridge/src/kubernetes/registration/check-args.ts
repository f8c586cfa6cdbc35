/**
 * A component's arguments, checked before it registers anything, and once more when the values are known that come later.
 * The second check is the same as the first, over plain values, so that no check is for early values alone. Whether a
 * value is secret is known only then.
 */

import * as pulumi from "@pulumi/pulumi";
import type { z } from "zod";
import { ArgsError, issuesFrom, readArgs } from "../../kit/args-error.ts";
import { listed } from "../../kit/fault.ts";
import { isDeferred } from "../../kit/input.ts";
import { withResourcesRead } from "../../kit/resource-argument.ts";
import { Secret } from "../../kit/secret.ts";
import { isSecretPlace } from "../../kit/secret-places.ts";
import { formatPath } from "../../kit/zod-faults.ts";
import type { ReservedName } from "../descriptor.ts";
import { warnOfNamespace } from "./namespace-warning.ts";
import { output } from "./outputs.ts";
import { library } from "./register.ts";
import { reservation } from "./reserved-names.ts";

/** Arguments to check, and how to check them. */
interface Checking<S extends z.ZodType> {
  readonly component: string;
  readonly name: string;
  readonly schema: S;
  readonly args: unknown;
  readonly opts: pulumi.ComponentResourceOptions | undefined;
  /** Names that only this component may have, as far as they are known. */
  readonly names?: (args: z.output<S>) => readonly ReservedName[];
  /** Whether data of people lives in its namespace. */
  readonly keepsData?: boolean | undefined;
  /** Values that clients alone read: no object waits for them. */
  readonly clientOnly?: (args: z.output<S>) => readonly unknown[];
}

/** Arguments without a known fault. */
interface CheckedArgs<T> {
  /** The parsed arguments. Values that are known later are rejected if any argument turns out to be at fault. */
  readonly args: T;
  /**
   * Options for the children: none is created before all later arguments are checked. Pulumi does not hand a component's
   * time-outs on by itself.
   */
  readonly child: Pick<pulumi.CustomResourceOptions, "customTimeouts"> & {
    readonly dependsOn?: Promise<pulumi.Resource[]>;
  };
  /** The arguments for Pulumi's state, with secrets marked, and what the library adds. */
  readonly inputs: pulumi.Inputs;
}

/** Called before super(), so that a component with faults registers nothing. */
export function checkArgs<S extends z.ZodType>(checking: Checking<S>): CheckedArgs<z.output<S>> {
  const { component, name, schema, opts, names = () => [], clientOnly = () => [] } = checking;
  const args = withResourcesRead(schema, checking.args);
  const reserve = reservation(component, name, opts);
  const check = (
    given: unknown,
    outcome = "nothing of it was created",
    empty: readonly string[] = [],
  ): z.output<S> => {
    const read = readArgs(schema, name, given ?? {});
    const faults = read.success ? reserve(names(read.data)) : read.faults;
    if (read.success && faults.length === 0) return read.data;
    const error = new InvalidArgsError(new ArgsError(component, name, issuesFrom(faults), outcome));
    throw empty.length === 0
      ? error
      : error.with(`Outputs without a value: ${listed(empty)}; does the other stack export them?`);
  };
  const parsed = check(args);
  if (checking.keepsData) warnOfNamespace(args);
  const forClients = new Set(clientOnly(parsed));
  // A value in a secret row is one in Pulumi's state too. What clients alone are told is left out where it comes later: a
  // component waits for its inputs, and its children for it.
  const marked = (value: unknown, path: ArgPath) =>
    forClients.has(value) && isDeferred(value)
      ? undefined
      : isSecretPlace(schema, path) && (isDeferred(value) || typeof value === "string")
        ? pulumi.secret(value)
        : value;
  const inputs = { ...mapped(args as pulumi.Inputs, marked), library: library() };
  const later = leavesOf(args).filter(({ value }) => isDeferred(value));
  const waits = opts?.customTimeouts === undefined ? {} : { customTimeouts: opts.customTimeouts };
  if (later.length === 0) return { args: parsed, child: waits, inputs };
  const checked = async (leaves: readonly Leaf[]): Promise<void> => {
    const found = await Promise.all(leaves.map(whatIsKnown));
    const known = new Map(
      found.map(({ path, of, isKnown, isSecret, value }) => {
        const isForClients = forClients.has(of);
        // A value that a preview does not know is passed on unchanged, unless it is a secret out of its place.
        const isOpen = isSecret && !isForClients && !isSecretPlace(schema, path);
        if (!isKnown) return [of, isOpen ? new Secret() : of];
        return [of, isSecret ? new Secret(value, isForClients) : value];
      }),
    );
    check(
      mapped(args, (leaf) => (known.has(leaf) ? known.get(leaf) : leaf)),
      "what uses them was not made",
      found.flatMap(({ isKnown, value, path }) => (isKnown && value === undefined ? [formatPath(path)] : [])),
    );
  };
  const inObjects = later.filter(({ value }) => !forClients.has(value));
  const objectsChecked = inObjects.length === 0 ? Promise.resolve() : checked(inObjects);
  const allChecked =
    inObjects.length === later.length ? objectsChecked : objectsChecked.then(() => checked(later));
  const kept = mapped(parsed, (leaf) =>
    isDeferred(leaf) ? behind(forClients.has(leaf) ? allChecked : objectsChecked, leaf) : leaf,
  );
  return { args: kept, child: { ...waits, dependsOn: objectsChecked.then(() => []) }, inputs };
}

async function whatIsKnown({ path, value: of }: Leaf) {
  const given = output(of);
  const [isKnown, isSecret] = await Promise.all([
    // `isKnown` is missing in Pulumi's types.
    (given as unknown as { isKnown: Promise<boolean> }).isKnown,
    pulumi.isSecret(given),
  ]);
  const value = isKnown ? await new Promise((resolve) => given.apply(resolve)) : undefined;
  return { path, of, isKnown, isSecret, value };
}

/** The value, resolved after `checked`. */
function behind(checked: Promise<void>, value: unknown): pulumi.Output<unknown> {
  return output(value).apply(async (known) => {
    await checked;
    return known;
  });
}

/**
 * All faults of a component's arguments. The engine prints its message without a stack, whether the component
 * runs in the user's program or in a plugin.
 */
export class InvalidArgsError extends pulumi.InputPropertiesError {
  // Pulumi recognises its own error classes by fields like this one, not by instanceof.
  readonly __pulumiRunError = true;
  readonly issues: ArgsError["issues"];
  #text = "";

  constructor(error: ArgsError) {
    // The second argument would make the engine print values, secrets included; the message says it all.
    super({ message: error.message, errors: [] });
    this.name = "InvalidArgsError";
    this.issues = error.issues;
    // Pulumi would write the name of each property before it that the error comes through.
    Object.defineProperty(this, "message", { get: () => this.#text, set: () => undefined });
    this.#say(error.message);
  }

  /** The same faults, and a sentence behind them. */
  with(sentence: string): this {
    this.#say(`${this.#text}\n${sentence}`);
    return this;
  }

  #say(text: string): void {
    this.#text = text;
    // Where it was thrown is in this library, and a plugin would print it.
    this.stack = text;
  }
}

type ArgPath = readonly (string | number)[];

interface Leaf {
  readonly path: ArgPath;
  readonly value: unknown;
}

export function leavesOf(value: unknown, path: ArgPath = []): Leaf[] {
  if (Array.isArray(value)) return value.flatMap((inner, index) => leavesOf(inner, [...path, index]));
  if (!hasParts(value)) return [{ path, value }];
  return Object.entries(value).flatMap(([key, inner]) => leavesOf(inner, [...path, key]));
}

/** Applies `change` to each leaf of `value`. */
export function mapped<T>(
  value: T,
  change: (leaf: unknown, path: ArgPath) => unknown,
  path: ArgPath = [],
): T {
  if (Array.isArray(value)) return value.map((inner, index) => mapped(inner, change, [...path, index])) as T;
  if (!hasParts(value)) return change(value, path) as T;
  const entries = Object.entries(value).map(([key, inner]) => [key, mapped(inner, change, [...path, key])]);
  return Object.fromEntries(entries) as T;
}

/** Pulumi serialises any object, whatever its class, so all are walked. */
function hasParts(value: unknown): value is Record<string, unknown> {
  return (
    typeof value === "object" && value !== null && !isDeferred(value) && !pulumi.Resource.isInstance(value)
  );
}
