import type { Step } from "./graph.ts";
import type { Program } from "./keeper.ts";

/** Programs that are kept running, and what else has to be done once. */
export interface Parts {
  programs: Program[];
  others: Step[];
}
