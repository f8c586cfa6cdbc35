import type { Step } from "../proxy/way-error.ts";
import { visible } from "../terminal.ts";

/** What one step of the way came to. */
export interface Finding {
  readonly step: Step;
  readonly ok: boolean;
  /** What was found; of a fault, what it means and how to mend it. */
  readonly text: string;
}

/** One line for a finding. */
export function findingLine({ step, ok, text }: Finding): string {
  return `  ${ok ? "ok  " : "FAIL"} ${step}: ${visible(text)}`;
}
