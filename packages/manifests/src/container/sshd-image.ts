import type { DevContainerPlan } from "./plan.ts";
import type { PodPart } from "./pod-part.ts";
import { sshdPaths } from "./sshd-config.ts";

// Readable by the pod's group; the start script makes the private copy that sshd insists on.
const groupReadable = 0o440;

/** What every sshd needs mounted, wherever it comes from. */
export function sshdVolumes(plan: DevContainerPlan): PodPart {
  return {
    volumes: [
      { name: "sshd-config", configMap: { name: plan.names.sshdConfig } },
      { name: "authorized-keys", configMap: { name: plan.names.authorizedKeys } },
      { name: "host-key", secret: { secretName: plan.names.hostKey, defaultMode: groupReadable } },
      { name: "sshd-run", emptyDir: { medium: "Memory", sizeLimit: "1Mi" } },
    ],
    mounts: [
      { name: "sshd-config", mountPath: sshdPaths.config, readOnly: true },
      { name: "authorized-keys", mountPath: sshdPaths.authorizedKeys, readOnly: true },
      { name: "host-key", mountPath: sshdPaths.hostKeyMount, readOnly: true },
      { name: "sshd-run", mountPath: sshdPaths.run },
    ],
  };
}

/** The image holds sshd and starts it: the project's devcontainer image or one built on it. */
export function sshdImagePart(plan: DevContainerPlan): PodPart {
  const { volumes, mounts } = sshdVolumes(plan);
  const listening = {
    exec: { command: ["/usr/local/lib/drawbridge/sshd-listens", String(plan.sshd.port)] },
  };
  return {
    volumes: volumes ?? [],
    mounts: mounts ?? [],
    main: {
      ports: [{ name: "ssh", containerPort: plan.sshd.port, protocol: "TCP" }],
      startupProbe: { ...listening, periodSeconds: 1, failureThreshold: 120 },
      readinessProbe: { ...listening, periodSeconds: 10, failureThreshold: 3 },
    },
  };
}
