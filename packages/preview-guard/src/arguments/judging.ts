/** What the judge of one argument is given. */
import type { Bounds } from "../bounds.ts";
import type { AccessRule, Effect } from "../effect.ts";
import type { Inputs, ObjectPair } from "../objects.ts";

/** One argument with another value, and what there is to judge it by. */
export interface Judging {
  readonly path: string;
  readonly was: unknown;
  readonly is: unknown;
  /** The component's class and logical name. */
  readonly kind: string;
  readonly name: string;
  /** All of its arguments; undefined before it is there. */
  readonly before: Inputs | undefined;
  readonly after: Inputs;
  readonly pairs: readonly ObjectPair[];
  readonly bounds: Bounds;
}

export interface Wall {
  readonly rule: AccessRule;
  /** Values that cross; any other one that is new without it. */
  readonly at?: (value: unknown, was: unknown) => boolean;
  /** Whether only an edit of something that is there crosses. */
  readonly edit?: true;
  /** Whether it only names another part, which has a default. */
  readonly isName?: true;
  /** What a set gains and loses, where its items are not all alike. */
  readonly judge?: (judging: Judging) => readonly Effect[];
}
