/** The sshd bundle in the pod: static programs in a folder of their own, and accounts that name the user. */

import { literalEnv, type PodPart } from "../common/pod.ts";
import { filled } from "../common/program.ts";
import { helperResources } from "../common/resources.ts";
import { restrictedContainer } from "../common/security.ts";
import { sshdAccountsSh } from "../made/programs.ts";
import { isRoot, type PodSshdPlan } from "./plan.ts";

/** Where the bundle is mounted; its programs look for each other there. */
export const bundleFolder = "/drawbridge";
/** All mounts of a sshd are at these paths or below. */
export const sshdMountPaths = ["/etc/drawbridge", "/run/drawbridge", bundleFolder];
/** A shell for images that have none. */
export const bundleShell = [`${bundleFolder}/bin/busybox`, "sh"];

const accountMounts = ["passwd", "group"].map((file) => ({
  name: "drawbridge",
  mountPath: `/etc/${file}`,
  subPath: `etc/${file}`,
  readOnly: true,
}));

/** Brings the bundle and the accounts into the pod, before any container that uses them. */
export function bundlePart(plan: PodSshdPlan): PodPart {
  const accounts = filled(sshdAccountsSh, { BUNDLE: bundleFolder, ROOT: isRoot(plan.user) });
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
        // The image's entry point copies the bundle to this path.
        volumeMounts: [{ name: "drawbridge", mountPath: "/drawbridge-volume" }],
      },
      {
        name: "accounts",
        image: plan.image,
        imagePullPolicy: plan.imagePullPolicy,
        command: [...bundleShell, "-c", accounts],
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
