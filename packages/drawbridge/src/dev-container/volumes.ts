/** Volumes that the container's own arguments make: home, persisted paths, existing claims, Secrets and the CA bundle. */

import { persistSeedSh } from "../generated/programs.ts";
import { preparingShell } from "../host/sshd/bundle.ts";
import type { Placed } from "../kit/placed.ts";
import { filled } from "../kit/program.ts";
import type { PodPart } from "../kubernetes/pod.ts";
import { helperResources } from "../kubernetes/resources.ts";
import { groupReadable, restrictedContainer, rootHelper } from "../kubernetes/security.ts";
import { trustedCaFolder } from "./environment.ts";
import type { DevContainerPlan } from "./plan.ts";

/** The claim with the home: the container's own, or the one that is adopted. */
export function homeClaimName({ home, names }: DevContainerPlan): Placed<string> {
  return home.claimName ?? names.home;
}

export function homePart(plan: DevContainerPlan): PodPart {
  return {
    volumes: [{ name: "home", persistentVolumeClaim: { claimName: homeClaimName(plan) } }],
    mounts: [{ name: "home", mountPath: plan.homePath }],
  };
}

// Where the seeding container sees the volume: `data<path>` is a path's content, `seeded<path>` the record of its image,
// `previous<path>` the content before another image filled it.
const volumeRoot = "/drawbridge-persist";

/** The seed runs as root inside, so that files of the image's system users keep their owners. */
const rootSeed = { runAsUser: 0, runAsGroup: 0, ...rootHelper } as const;

/** The persisted paths and the container that seeds them, run in the user's own image. */
export function persistPart(plan: DevContainerPlan): PodPart {
  if (plan.persist.length === 0) return {};
  const { root } = plan;
  const claimName = plan.persistVolume.claimName ?? plan.names.persist;
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
    mounts: plan.persist.map((path) => ({ name: "persist", mountPath: path, subPath: `data${path}` })),
    initContainers: [
      {
        name: "seed",
        image: plan.image,
        imagePullPolicy: plan.imagePullPolicy,
        command: [...shell, "-c", script, "seed", ...plan.persist],
        env: [
          { name: "IMAGE", value: plan.image },
          ...(root ? [{ name: "OWNER", value: `${plan.user.uid}:${plan.user.gid}` }] : []),
        ],
        resources: helperResources,
        securityContext: root ? rootSeed : restrictedContainer,
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
      ...(readOnly ? { readOnly } : {}),
    })),
  };
}

/** Secrets as files: a variable would be in the environment of every process of the container. */
export function secretFilesPart(plan: DevContainerPlan): PodPart {
  return {
    volumes: plan.secretFiles.map(({ secretName }, index) => ({
      name: `secret-${index}`,
      secret: { secretName, defaultMode: groupReadable },
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
