import { filled } from "../common/program.ts";
import { stopSh } from "../made/programs.ts";
import type { SshdPlan } from "./plan.ts";

/**
 * The preStop hook that warns everybody at a terminal (stop.sh).
 * @param shell the program that runs the hook, by its path in that container
 */
export function terminalWarning(plan: Pick<SshdPlan, "stopWarningSeconds">, shell: readonly string[]) {
  const { stopWarningSeconds } = plan;
  if (stopWarningSeconds === 0) return {};
  const script = filled(stopSh, { SECONDS: stopWarningSeconds });
  return { lifecycle: { preStop: { exec: { command: [...shell, "-c", script] } } } };
}
