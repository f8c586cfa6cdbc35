/** Volumes that the container's own arguments make: home, persisted paths, existing claims, Secrets and the CA bundle. */

import { homeFolderSh, persistSeedSh } from "../generated/programs.ts";
import { preparingShell } from "../host/sshd/bundle.ts";
import { isRoot } from "../host/sshd/plan.ts";
import { type Input, text } from "../kit/input.ts";
import { filled } from "../kit/program.ts";
import { literalEnv, type PodPart, readOnlyIf } from "../kubernetes/pod.ts";
import { helperResources } from "../kubernetes/resources.ts";
import { groupReadable, restrictedContainer, rootHelper } from "../kubernetes/security.ts";
import { trustedCaFolder } from "./environment.ts";
import type { DevContainerPlan } from "./plan.ts";

/** The claim with the home: the container's own, or the one that is adopted. */
export function homeClaimName({ home, names }: DevContainerPlan): Input<string> {
  return home.claimName ?? names.home;
}

/** The name of the home's volume in the pod. */
export const homeVolume = "home";

/** The link in a claim that says where in it the home is (home-folder.sh). */
export const homeLink = ".drawbridge-home";

export function homePart(plan: DevContainerPlan): PodPart {
  return {
    volumes: [{ name: homeVolume, persistentVolumeClaim: { claimName: homeClaimName(plan) } }],
    mounts: [{ name: homeVolume, mountPath: plan.homePath, subPath: homeLink }],
  };
}

// Where the container that prepares the home sees the whole claim.
const homeRoot = "/drawbridge-home";

/**
 * Makes the home in its claim, before any container that mounts it. Whether a claim is new or holds a home already only
 * its content says.
 */
export function homeFolderPart(plan: DevContainerPlan): PodPart {
  const { root, user, ssh } = plan;
  const { shell, mounts } = preparingShell(plan);
  const script = filled(homeFolderSh, { VOLUME: homeRoot, LINK: homeLink, MOVE: moveHomeFile });
  return {
    initContainers: [
      {
        name: "home-folder",
        // Beside a sidecar the image may have no shell.
        image: ssh.mode === "sidecar" ? ssh.image : plan.image,
        imagePullPolicy: plan.imagePullPolicy,
        command: [...shell, "-c", script],
        env: literalEnv({ OWNER: text`${user.uid}:${user.gid}`, GROUP: text`${user.gid}` }),
        resources: helperResources,
        securityContext: root ? asRoot : restrictedContainer,
        terminationMessagePolicy: "FallbackToLogsOnError",
        volumeMounts: [{ name: homeVolume, mountPath: homeRoot }, ...mounts],
      },
    ],
  };
}

/** In a home that is the whole claim it asks for the move into a folder of its own, at the next start of the pod. */
const moveHomeFile = ".drawbridge-move-home";

// Where the seeding container sees the volume: `data<path>` is a path's content, `seeded<path>` the record of its image,
// `previous<path>` the content before another image filled it.
const volumeRoot = "/drawbridge-persist";

/** As root inside: files of the image's system users keep their owners, and a home of others can be written. */
const asRoot = { runAsUser: 0, runAsGroup: 0, ...rootHelper } as const;

/** The persisted paths and the container that seeds them, run in the user's own image. */
export function persistPart(plan: DevContainerPlan): PodPart {
  if (plan.persist.paths.length === 0) return {};
  const { root } = plan;
  const claimName = plan.persist.claimName ?? plan.names.persist;
  const script = filled(persistSeedSh, {
    VOLUME: volumeRoot,
    // Without root, tar cannot give files to others: `o` leaves them to the user.
    EXTRACT: root ? "-xpf" : "-xpof",
    OWNERS: root,
  });
  // The image may have no tar; with sshd `injected`, the bundle's busybox has one.
  const { shell, mounts } = preparingShell(plan);
  return {
    volumes: [{ name: "persist", persistentVolumeClaim: { claimName } }],
    mounts: plan.persist.paths.map((path) => ({
      name: "persist",
      mountPath: path,
      subPath: text`data${path}`,
    })),
    initContainers: [
      {
        name: "seed",
        image: plan.image,
        imagePullPolicy: plan.imagePullPolicy,
        command: [...shell, "-c", script, "seed", ...plan.persist.paths],
        env: [
          { name: "IMAGE", value: plan.image },
          ...(root ? [{ name: "OWNER", value: text`${plan.user.uid}:${plan.user.gid}` }] : []),
        ],
        resources: helperResources,
        securityContext: root ? asRoot : restrictedContainer,
        volumeMounts: [{ name: "persist", mountPath: volumeRoot }, ...mounts],
      },
    ],
  };
}

/** Existing claims, mounted by their names. */
export function mountsPart(plan: DevContainerPlan): PodPart {
  return {
    volumes: plan.mounts.map(({ claimName }, index) => ({
      name: `mount-${index}`,
      persistentVolumeClaim: { claimName },
    })),
    mounts: plan.mounts.map(({ mountPath, readOnly }, index) => ({
      name: `mount-${index}`,
      mountPath,
      ...readOnlyIf(readOnly),
    })),
  };
}

/**
 * Secrets as files: a variable would be in the environment of every process of the container. They belong to root: its ssh
 * takes no private key that a group can read.
 */
export function secretFilesPart(plan: DevContainerPlan): PodPart {
  return {
    volumes: plan.secretFiles.map(({ secretName }, index) => ({
      name: `secret-${index}`,
      secret: { secretName, defaultMode: isRoot(plan.user) ? 0o400 : groupReadable },
    })),
    mounts: plan.secretFiles.map(({ mountPath }, index) => ({
      name: `secret-${index}`,
      mountPath,
      readOnly: true,
    })),
  };
}

/** The company's certificate authorities; the environment points each tool at them. */
export function trustedCaPart(plan: DevContainerPlan): PodPart {
  if (plan.trustedCa === undefined) return {};
  return {
    volumes: [{ name: "ca-bundle", configMap: { name: plan.trustedCa.configMapName } }],
    mounts: [{ name: "ca-bundle", mountPath: trustedCaFolder, readOnly: true }],
  };
}
