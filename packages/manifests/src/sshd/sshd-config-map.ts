import { configMap } from "../common/data.ts";
import { compact, type Manifest } from "../common/manifest.ts";
import { sshdProfileSh } from "../made/programs.ts";
import { engineFile, engineScript } from "./engine.ts";
import { idleProgramFile, idleProgramText, idleSettingsFile, idleSettingsText } from "./idle-agent.ts";
import type { SshdPlan } from "./plan.ts";
import { prepareScript } from "./scripts.ts";
import { sshdConfig } from "./sshd-config.ts";

/** The files that sshd and its start script read once, at start. */
export function sshdFiles(plan: SshdPlan): Record<string, string> {
  return compact({
    sshd_config: sshdConfig(plan),
    prepare: prepareScript(plan),
    profile: sshdProfileSh,
    startup: plan.startupScript as string,
    [engineFile]: plan.containersInside ? engineScript(plan) : undefined,
    [idleProgramFile]: plan.idle === undefined ? undefined : idleProgramText(plan),
  });
}

export function sshdConfigMap(plan: SshdPlan): Manifest<"ConfigMap"> {
  return configMap(plan.names.sshdConfig, plan, { ...sshdFiles(plan), ...idleSettings(plan) });
}

/** The names of all files in sshd's ConfigMap. */
export function sshdConfigFiles(plan: SshdPlan): string[] {
  return Object.keys({ ...sshdFiles(plan), ...idleSettings(plan) });
}

/** The idle agent reads these again and again, so a change of them does not roll the pod. */
export function idleSettings(plan: SshdPlan): Record<string, string> {
  return plan.idle === undefined ? {} : { [idleSettingsFile]: idleSettingsText(plan, plan.idle) };
}
