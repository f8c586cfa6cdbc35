import type { TaintEffect } from "@drawbridge-iac/manifests";

/** A node's taint that does not keep pods away. */
export interface TolerationArgs {
  /** The taint's key. */
  key: string;
  /**
   * The taint's value.
   * @default - any
   */
  value?: string;
  /**
   * The taint's effect.
   * @default - any
   */
  effect?: TaintEffect;
}
