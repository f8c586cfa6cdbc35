import type { Inputs, ObjectPair } from "../objects.ts";
import type { Bounds } from "./bounds.ts";
import type { Effect } from "./effect.ts";

/** Context for the judgement of one object. */
export interface AccessContext {
  readonly pairs: readonly ObjectPair[];
  readonly bounds: Bounds;
}

/** The judge of one kind of object. */
export interface KindJudge {
  /** The part of the object that decides on access; everything in it must be known at preview. */
  readonly deciding: (inputs: Inputs, pair: ObjectPair) => Readonly<Record<string, unknown>>;
  readonly effects: (pair: ObjectPair, context: AccessContext) => readonly Effect[];
  /** Keys in the `deciding` parts that this version does not know. */
  readonly unknownFields?: (inputs: Inputs, pair: ObjectPair) => readonly string[];
}
