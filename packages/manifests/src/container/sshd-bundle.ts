/** The sshd bundle in the pod: static programs in a folder of their own, and accounts that name the user. */

import { literalEnv } from "../common/env.ts";
import type { PodPart } from "../common/pod-part.ts";
import { restrictedContainer } from "../common/security.ts";
import { helperResources } from "./machine.ts";
import type { DevContainerPlan } from "./plan.ts";
import { isRoot } from "./root.ts";

/** Where the bundle is mounted; its programs look for each other there. */
export const bundleFolder = "/drawbridge";
/** A shell for images that have none. */
export const bundleShell = [`${bundleFolder}/bin/busybox`, "sh"];

/**
 * The image's own accounts with the user added, so that `id`, git and ssh know who one is. The login shell is
 * the image's best one.
 */
const accountsScript = `set -eu
for shell in $WANTED_SHELL /bin/bash /usr/bin/bash /bin/sh; do
  [ ! -x "$shell" ] || break
  shell=${bundleFolder}/bin/sh
done
ln -sf busybox ${bundleFolder}/bin/sh
mkdir -p ${bundleFolder}/etc
{
  cat /etc/passwd 2>/dev/null | awk -F: -v name="$NAME" -v id="$ID" '$1 != name && $3 != id'
  echo "$NAME:x:$ID:$GROUP_ID::$USER_HOME:$shell"
} >${bundleFolder}/etc/passwd
cat /etc/group 2>/dev/null | awk -F: -v name="$NAME" -v id="$GROUP_ID" '
  $3 == id { found = 1 }
  $1 != name || $3 == id
  END { if (!found) print name ":x:" id ":" }' >${bundleFolder}/etc/group
`;

/**
 * Root is in the image's own accounts, which stay as they are: programs that make users could not replace a file that is
 * mounted. The bundle's are for an image without accounts, and name the user of sshd's unprivileged half.
 */
const rootAccountsScript = `${accountsScript}echo "sshd:x:65534:65534::/nonexistent:/bin/false" >>${bundleFolder}/etc/passwd
`;

const accountMounts = ["passwd", "group"].map((file) => ({
  name: "drawbridge",
  mountPath: `/etc/${file}`,
  subPath: `etc/${file}`,
  readOnly: true,
}));

/** Brings the bundle and the accounts into the pod, before any container that uses them. */
export function bundlePart(plan: DevContainerPlan): PodPart {
  const writable = { name: "drawbridge", mountPath: bundleFolder };
  return {
    volumes: [{ name: "drawbridge", emptyDir: {} }],
    mounts: [{ ...writable, readOnly: true }, ...(isRoot(plan.user) ? [] : accountMounts)],
    initContainers: [
      {
        name: "sshd-bundle",
        image: plan.ssh.image,
        imagePullPolicy: plan.imagePullPolicy,
        resources: helperResources,
        securityContext: restrictedContainer,
        // Where its entry point copies the bundle to.
        volumeMounts: [{ name: "drawbridge", mountPath: "/drawbridge-volume" }],
      },
      {
        name: "accounts",
        image: plan.image,
        imagePullPolicy: plan.imagePullPolicy,
        command: [...bundleShell, "-c", isRoot(plan.user) ? rootAccountsScript : accountsScript],
        env: literalEnv({
          NAME: plan.user.name,
          ID: String(plan.user.uid),
          GROUP_ID: String(plan.user.gid),
          USER_HOME: plan.homePath,
          WANTED_SHELL: plan.user.shell ?? "",
        }),
        resources: helperResources,
        securityContext: restrictedContainer,
        volumeMounts: [writable],
      },
    ],
  };
}
