import { volumeClaim } from "../common/data.ts";
import type { Manifest } from "../common/manifest.ts";
import type { PodPart } from "../common/pod.ts";
import { filled } from "../common/program.ts";
import { helperResources } from "../common/resources.ts";
import { restrictedContainer, rootHelper } from "../common/security.ts";
import { persistSeedSh } from "../made/programs.ts";
import { bundlePart, bundleShell } from "../sshd/bundle.ts";
import type { DevContainerPlan } from "./plan.ts";

/** The claim that keeps the persisted paths. */
export function persistClaim(plan: DevContainerPlan): Manifest<"PersistentVolumeClaim"> {
  return volumeClaim(plan, plan.names.persist, plan.persistVolume);
}

// Where the seeding container sees the volume: `data/<path>` is a path's content, `seeded/<path>` its record.
const volumeRoot = "/drawbridge-persist";

const seedScript = (keepsOwners: boolean) =>
  filled(persistSeedSh, { VOLUME: volumeRoot, EXTRACT: keepsOwners ? "-xpf" : "-xpof", OWNERS: keepsOwners });

/** Root inside, so that files of the image's system users keep their owners. */
const rootSeed = { runAsUser: 0, runAsGroup: 0, ...rootHelper } as const;

/** The persisted paths and the container that seeds them, run in the user's own image. */
export function persistPart(plan: DevContainerPlan): PodPart {
  if (plan.persist.length === 0) return {};
  const claimName = plan.persistVolume.claimName ?? plan.names.persist;
  const injected = plan.ssh.mode === "injected";
  // An image that knows nothing of us may have neither sh nor tar; the bundle's busybox has both.
  const shell = injected ? bundleShell : ["sh"];
  return {
    volumes: [{ name: "persist", persistentVolumeClaim: { claimName } }],
    mounts: plan.persist.map((path) => ({ name: "persist", mountPath: path, subPath: `data${path}` })),
    initContainers: [
      {
        name: "seed",
        image: plan.image,
        imagePullPolicy: plan.imagePullPolicy,
        command: [...shell, "-c", seedScript(plan.root), "seed", ...plan.persist],
        env: [
          { name: "IMAGE", value: plan.image },
          ...(plan.root ? [{ name: "OWNER", value: `${plan.user.uid}:${plan.user.gid}` }] : []),
        ],
        resources: helperResources,
        securityContext: plan.root ? rootSeed : restrictedContainer,
        volumeMounts: [
          { name: "persist", mountPath: volumeRoot },
          ...(injected ? (bundlePart(plan).mounts ?? []).filter(({ subPath }) => subPath === undefined) : []),
        ],
      },
    ],
  };
}
