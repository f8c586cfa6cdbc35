import { filled } from "../common/program.ts";
import { stopSh } from "../made/programs.ts";
import type { DevContainerPlan } from "./plan.ts";

/**
 * A hook that tells every open terminal that the container is about to stop, and leaves it the warning time. It
 * ends at once when nobody has a terminal open.
 * @param shell the program that runs the hook, as it is found in that container
 */
export function terminalWarning(plan: DevContainerPlan, shell: readonly string[]) {
  const { warningSeconds } = plan.stop;
  if (warningSeconds === 0) return {};
  const script = filled(stopSh, { SECONDS: warningSeconds });
  return { lifecycle: { preStop: { exec: { command: [...shell, "-c", script] } } } };
}
