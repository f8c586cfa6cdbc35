/** Edits of single fields, and what each does to something that runs. */

/** Arguments, in whole or in part. */
export type Args = Readonly<Record<string, unknown>>;

export interface FieldEdit {
  /** What the thing has before, besides the base that all edits share. */
  readonly from?: Args;
  /** What is set; `undefined` takes a field away. */
  readonly to: Args;
  /**
   * `unchanged`: only clients are told something else; `harmless`: objects change, and its pods go on; `restarts`: its
   * pods restart or end, its data stays. Otherwise the guard refuses it, by the rules named here.
   */
  readonly verdict: string;
}

/** By the field's path in `stacks/schema.json`; `[0]` is a list's item. */
export type FieldEdits = Readonly<Record<string, FieldEdit>>;
