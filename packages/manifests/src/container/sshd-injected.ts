import type { PodPart } from "../common/pod.ts";
import { besideTheImage, profileMount, sshdStart } from "../sshd/beside-image.ts";
import { bundleFolder, bundleShell } from "../sshd/bundle.ts";
import { sshdProbes } from "../sshd/probes.ts";
import { terminalWarning } from "../sshd/stop.ts";
import { sshdVolumes } from "../sshd/volumes.ts";
import type { DevContainerPlan } from "./plan.ts";

/**
 * The bundle's sshd runs inside an unmodified image, so the shell sees the application's own files. The bundle
 * itself is a part of its own (sshd/bundle.ts).
 */
export function sshdInjectedPart(plan: DevContainerPlan): PodPart {
  const { volumes, mounts, initContainers } = sshdVolumes(plan);
  const { lifecycle } = terminalWarning(plan, bundleShell);
  return {
    volumes,
    initContainers,
    mounts: [...mounts, profileMount],
    main: {
      ...(plan.runImageCommand
        ? { lifecycle: { ...lifecycle, postStart: besideTheImage() } }
        : { command: [...sshdStart, ...plan.command, ...plan.args], lifecycle }),
      ports: [{ name: "ssh", containerPort: plan.ssh.port, protocol: "TCP" }],
      ...sshdProbes([...bundleShell, `${bundleFolder}/bin/sshd-listens`], plan.ssh.port),
    },
  };
}
