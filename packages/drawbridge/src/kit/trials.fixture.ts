/**
 * The trial of an argument: an edit that a test makes for real, and what becomes of it. Trials stand beside the rows,
 * `args.trials.ts` beside `args.ts`; an argument without one does not compile.
 */
import type { z } from "zod";
import type { Deferred } from "./input.ts";

/** Arguments, in whole or in part. */
export type Args = Readonly<Record<string, unknown>>;

export interface Trial {
  /** What the thing has before, besides the base that all trials share. */
  readonly from?: Args;
  /** What the argument becomes, at the path under which the trial stands. */
  readonly value?: unknown;
  /** Instead of `value`: all that is set, if that is more than the argument; `undefined` takes one away. */
  readonly to?: Args;
  /**
   * First the rules by which the guard stops it, in the order of the alphabet. Then what becomes of objects and pods:
   * `unchanged`: only clients are told something else; `harmless`: objects change, and its pods go on; `restarts`: its
   * pods restart or end. Then `gains` and `loses`, if the report says that someone does, and `costs`.
   * @default what the effects of the argument's row come to
   */
  readonly verdict?: string;
}

/** By the argument's path: `ports[0].name`. What follows a space tells several trials of one apart. */
export type AnyTrials = Readonly<Record<string, Trial>>;

/** The trials of a component. */
export interface Tried {
  /** What all of them start from, in a component of that name. */
  readonly base: (name: string) => Args;
  /** Over the base, arguments that show what one does beside the others. */
  readonly full?: Args;
  readonly trials: AnyTrials;
  /** Parts with all that they can hold, which are set and read again, but have no verdict. */
  readonly parts?: AnyTrials;
}

type Known<T> = Exclude<T, undefined | Deferred>;

/** Whether it is an object whose fields are arguments. */
type IsGroup<T> = [T] extends [object]
  ? [T] extends [readonly unknown[]]
    ? false
    : string extends keyof T
      ? false
      : true
  : false;

type Leaves<T, Whole extends string, At extends string> = At extends Whole
  ? At
  : [Known<T>] extends [readonly (infer Item)[]]
    ? IsGroup<Known<Item>> extends true
      ? `${At}[0]` extends Whole
        ? `${At}[0]`
        : LeavesOf<Known<Item>, Whole, `${At}[0].`>
      : At
    : IsGroup<Known<T>> extends true
      ? LeavesOf<Known<T>, Whole, `${At}.`>
      : At;

type LeavesOf<T, Whole extends string, Prefix extends string> = {
  [K in keyof T & string]-?: Leaves<T[K], Whole, `${Prefix}${K}`>;
}[keyof T & string];

/**
 * A trial for each argument of a schema that is no group itself.
 * @param Whole groups that are tried as a whole, as what is handed to a pod is
 */
export type Trials<S extends z.ZodType, Whole extends string = never> = Readonly<
  Record<LeavesOf<Known<z.input<S>>, Whole, "">, Trial>
> & { readonly [variant: `${string} ${string}`]: Trial };

/** Trials of a group, for a component that has it at the path. */
export function below<const P extends string, T extends AnyTrials>(
  path: P,
  trials: T,
): { readonly [K in keyof T & string as `${P}.${K}`]: Trial };
export function below(path: string, trials: AnyTrials): AnyTrials {
  return Object.fromEntries(Object.entries(trials).map(([field, trial]) => [`${path}.${field}`, trial]));
}
