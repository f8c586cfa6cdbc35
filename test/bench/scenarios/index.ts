/** Every scenario, in the order in which they run. */
import type { Scenario } from "../scenario.ts";

export const scenarios: readonly Scenario[] = [];
