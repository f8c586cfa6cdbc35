import type { Wall } from "@drawbridge-iac/drawbridge/src/kit/guard";
import type { Bounds } from "../bounds.ts";
import type { ObjectPair } from "../objects.ts";
import type { Inputs } from "../values.ts";

/** One argument with another value, and what there is to judge it by. */
export interface Judging {
  readonly path: string;
  readonly was: unknown;
  readonly is: unknown;
  /** What the argument's row says of it. */
  readonly wall: Wall;
  /** The component's class and logical name. */
  readonly kind: string;
  readonly name: string;
  /** All of its arguments; undefined before it is there. */
  readonly before: Inputs | undefined;
  readonly after: Inputs;
  readonly pairs: readonly ObjectPair[];
  readonly bounds: Bounds;
}
