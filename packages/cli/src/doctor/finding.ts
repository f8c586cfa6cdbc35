import type { Step } from "../proxy/way-error.ts";
import { painted, visible } from "../terminal.ts";

/** What one step of a way in showed. */
export interface Finding {
  readonly step: Step;
  readonly ok: boolean;
  /** What was found; of a fault, what it means and how to mend it. */
  readonly text: string;
  /** The HTTP status that the gateway answered with, where that is the fault. */
  readonly status?: number | undefined;
}

/** One line for a finding, in colour where the output has colours. */
export function findingLine({ step, ok, text }: Pick<Finding, "ok" | "text"> & { step: string }): string {
  return `  ${ok ? painted("green", "ok  ") : painted("red", "FAIL")} ${step}: ${visible(text)}`;
}
