import type { Container, Volume } from "../common/kinds.ts";
import type { Mount } from "../common/pod.ts";
import { copiedFilesPart } from "./copied-at-start.ts";
import type { PodSshdPlan } from "./plan.ts";
import { sshdPaths } from "./sshd-config.ts";

// Readable by the pod's group; the start script makes the private copy that sshd insists on.
const groupReadable = 0o440;
// The start-up script is executed where it is mounted.
const executable = 0o555;

interface SshdVolumes {
  readonly volumes: Volume[];
  readonly mounts: Mount[];
  readonly initContainers: Container[];
}

/** What every sshd needs mounted, wherever it comes from. */
export function sshdVolumes(plan: PodSshdPlan): SshdVolumes {
  const mounts = [
    { name: "sshd-config", mountPath: sshdPaths.config, readOnly: true },
    { name: "authorized-keys", mountPath: sshdPaths.authorizedKeys, readOnly: true },
    { name: "host-key", mountPath: sshdPaths.hostKeyMount, readOnly: true },
    { name: "sshd-run", mountPath: sshdPaths.run },
  ];
  const run = { name: "sshd-run", emptyDir: { medium: "Memory", sizeLimit: "1Mi" } };
  if (plan.containersInside) {
    const { volumes, initContainers } = copiedFilesPart(plan);
    return { volumes: [...volumes, run], mounts, initContainers };
  }
  return {
    volumes: [
      { name: "sshd-config", configMap: { name: plan.names.sshdConfig, defaultMode: executable } },
      { name: "authorized-keys", configMap: { name: plan.names.authorizedKeys } },
      { name: "host-key", secret: { secretName: plan.names.hostKey, defaultMode: groupReadable } },
      run,
    ],
    mounts,
    initContainers: [],
  };
}
