import { compact, type Manifest } from "../common/manifest.ts";
import type { DevContainerPlan } from "./plan.ts";
import { sshdConfig } from "./sshd-config.ts";
import { prepareScript, profileScript } from "./sshd-scripts.ts";

/** The files that sshd and its start script read once, at start. */
export function sshdFiles(plan: DevContainerPlan): Record<string, string> {
  return compact({
    sshd_config: sshdConfig(plan),
    prepare: prepareScript(plan),
    profile: profileScript,
    startup: plan.startupScript as string,
  });
}

export function sshdConfigMap(plan: DevContainerPlan): Manifest {
  return {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: plan.names.sshdConfig, namespace: plan.namespace, labels: plan.labels },
    data: sshdFiles(plan),
  };
}
