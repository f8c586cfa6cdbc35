/** Edits of single fields, and what each does to something that runs. */

/** Arguments, in whole or in part. */
export type Args = Readonly<Record<string, unknown>>;

export interface FieldEdit {
  /** What the thing has before, besides the base that all edits share. */
  readonly from?: Args;
  /** What is set; `undefined` takes a field away. */
  readonly to: Args;
  /**
   * First the rules by which the guard stops it, in the order of the alphabet. Then what becomes of objects and pods:
   * `unchanged`: only clients are told something else; `harmless`: objects change, and its pods go on; `restarts`: its
   * pods restart or end. Then `gains` and `loses`, if the report says that somebody does, and `costs`.
   * @default what the effects of the argument's row come to
   */
  readonly verdict?: string;
}

/** By the field's path in `stacks/schema.json`; `[0]` is a list's item. */
export type FieldEdits = Readonly<Record<string, FieldEdit>>;
