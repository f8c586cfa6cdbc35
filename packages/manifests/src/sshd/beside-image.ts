/** The bundle's sshd started beside a program that is not ours. */
import { bundleFolder, bundleShell } from "./bundle.ts";

export const sshdStart = [...bundleShell, `${bundleFolder}/bin/drawbridge-sshd`];

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
  const command = `${begin}${bundleFolder}/bin/busybox setsid ${sshdStart.join(" ")} </dev/null >/proc/1/fd/1 2>/proc/1/fd/2 &`;
  return { exec: { command: [...bundleShell, "-c", command] } };
}
