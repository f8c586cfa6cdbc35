/**
 * The sshd bundle in the pod: static programs in a folder of their own, accounts that name the user, and sshd started by
 * them beside a program that is not ours.
 */

import { sshdAccountsSh } from "../../generated/programs.ts";
import { type Input, text } from "../../kit/input.ts";
import { filled } from "../../kit/program.ts";
import type { PodPart } from "../../kubernetes/pod.ts";
import { literalEnv } from "../../kubernetes/pod.ts";
import { helperResources } from "../../kubernetes/resources.ts";
import { restrictedContainer } from "../../kubernetes/security.ts";
import { isRoot, type PodSshdPlan } from "./plan.ts";

/** Where the bundle is mounted; its programs look for each other there. */
export const bundleFolder = "/drawbridge";
/** All mounts of an sshd are at these paths or below. */
export const sshdMountPaths = ["/etc/drawbridge", "/run/drawbridge", bundleFolder];
/** A shell for images that have none. */
export const bundleShell = [`${bundleFolder}/bin/busybox`, "sh"];

const inBundle = { name: "drawbridge", mountPath: bundleFolder };
const bundleMount = { ...inBundle, readOnly: true };
const accountMounts = ["passwd", "group"].map((file) => ({
  name: "drawbridge",
  mountPath: `/etc/${file}`,
  subPath: `etc/${file}`,
  readOnly: true,
}));

/** Brings the bundle and the accounts into the pod, before any container that uses them. */
export function bundlePart(plan: PodSshdPlan): PodPart {
  const accounts = filled(sshdAccountsSh, { BUNDLE: bundleFolder, ROOT: isRoot(plan.user) });
  return {
    volumes: [{ name: "drawbridge", emptyDir: {} }],
    mounts: [bundleMount, ...(isRoot(plan.user) ? [] : accountMounts)],
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
          ID: text`${plan.user.uid}`,
          GROUP_ID: text`${plan.user.gid}`,
          USER_HOME: plan.homePath,
          WANTED_SHELL: plan.user.shell ?? "",
        }),
        resources: helperResources,
        securityContext: restrictedContainer,
        volumeMounts: [inBundle],
      },
    ],
  };
}

/**
 * The shell for what prepares the pod in the user's image, with its mounts. With the bundle it is that one's: an image that
 * knows nothing of us may have no programs at all.
 */
export const preparingShell = ({ ssh }: Pick<PodSshdPlan, "ssh">) =>
  ssh.mode === "injected" ? { shell: bundleShell, mounts: [bundleMount] } : { shell: ["sh"], mounts: [] };

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
export function besideTheImage(home?: Input<string>) {
  const begin = home === undefined ? "" : text`HOME=${home} `;
  const command = text`${begin}${bundleFolder}/bin/busybox setsid ${sshdStart.join(" ")} </dev/null >/proc/1/fd/1 2>/proc/1/fd/2 &`;
  return { exec: { command: [...bundleShell, "-c", command] } };
}
