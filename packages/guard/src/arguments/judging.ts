import type { Bounds } from "../bounds.ts";
import type { AccessRule, Effect } from "../effect.ts";
import type { ObjectPair } from "../objects.ts";
import type { Inputs } from "../values.ts";

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

/** What an edit of one argument may cross. */
export interface Wall {
  readonly rule: AccessRule;
  /** Which values cross; every new one if it is left out. */
  readonly at?: (value: unknown, was: unknown) => boolean;
  /** Whether a new component or group may have any value, so that only a later edit crosses. */
  readonly edit?: true;
  /** Whether it only names another part, which has a default. */
  readonly isName?: true;
  /** Judges the change by itself, without the fields above. */
  readonly judge?: (judging: Judging) => readonly Effect[];
}
