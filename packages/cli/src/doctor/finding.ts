import type { Step } from "../faults.ts";
import { painted, visible } from "../terminal.ts";

/** Something that has to be so, and whether it is. */
export interface Requirement {
  /** What was looked at: a step of a way in, the API server, a node, a StorageClass. */
  readonly step: string;
  readonly ok: boolean;
  /** What was found; of a fault, what it means and how to mend it. */
  readonly text: string;
}

/** What one step of a way in showed. */
export interface Finding extends Requirement {
  readonly step: Step;
  /** The HTTP status that the gateway answered with, where that is the fault. */
  readonly status?: number | undefined;
}

/** One line for a finding, in colour where the output has colours. */
export function findingLine({ step, ok, text }: Requirement): string {
  return `  ${ok ? painted("green", "ok  ") : painted("red", "FAIL")} ${step}: ${visible(text)}`;
}
