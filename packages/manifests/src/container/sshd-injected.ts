import type { PodPart } from "../common/pod-part.ts";
import type { DevContainerPlan } from "./plan.ts";
import { bundleFolder, bundleShell } from "./sshd-bundle.ts";
import { sshdProbes } from "./sshd-probes.ts";
import { sshdVolumes } from "./sshd-volumes.ts";
import { terminalWarning } from "./stop.ts";

const start = [...bundleShell, `${bundleFolder}/bin/drawbridge-sshd`];

/**
 * The bundle's sshd runs inside an unmodified image, so the shell sees the application's own files. The bundle
 * itself is a part of its own (sshd-bundle.ts).
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
        : { command: [...start, ...plan.command, ...plan.args], lifecycle }),
      ports: [{ name: "ssh", containerPort: plan.ssh.port, protocol: "TCP" }],
      ...sshdProbes([...bundleShell, `${bundleFolder}/bin/sshd-listens`], plan.ssh.port),
    },
  };
}

/** Gives a login shell the container's own PATH. */
export const profileMount = {
  name: "sshd-config",
  mountPath: "/etc/profile.d/00-drawbridge.sh",
  subPath: "profile",
  readOnly: true,
};

/**
 * Only Kubernetes knows the image's own command, so that one is left alone and sshd is started by a hook. The hook
 * must end, so sshd gets a session of its own; its log goes where the image's command logs.
 * @param home where the user is at home, if the container's environment does not say
 */
export function besideTheImage(home?: string) {
  const begin = home === undefined ? "" : `HOME=${home} `;
  const command = `${begin}${bundleFolder}/bin/busybox setsid ${start.join(" ")} </dev/null >/proc/1/fd/1 2>/proc/1/fd/2 &`;
  return { exec: { command: [...bundleShell, "-c", command] } };
}
