/** Shell that the start script (images/sshd/drawbridge-sshd) sources before it starts sshd. POSIX sh only. */
import { filled } from "../common/program.ts";
import { sshdEmptyFolderSh, sshdPenaltiesSh, teamStartupScriptSh } from "../made/programs.ts";
import { engineStart } from "./engine.ts";
import { idleAgentScript } from "./idle-agent.ts";
import { isRoot, type SshdPlan } from "./plan.ts";
import { hostKeyFile, sshdPaths } from "./sshd-config.ts";

/**
 * `$sshd` is the program and `$run` a writable folder. Nothing in it may fail the start: without sshd no user could log
 * in to mend it.
 */
export function prepareScript(plan: SshdPlan): string {
  return [
    ...(isRoot(plan.user) ? [sshdEmptyFolderSh] : []),
    filled(sshdPenaltiesSh, { HOST_KEY: hostKeyFile }),
    ...(plan.containersInside ? [engineStart(isRoot(plan.user))] : []),
    ...(plan.startupScript === undefined ? [] : [filled(teamStartupScriptSh, { CONFIG: sshdPaths.config })]),
    ...(plan.idle === undefined ? [] : [idleAgentScript(plan)]),
  ].join("\n");
}
