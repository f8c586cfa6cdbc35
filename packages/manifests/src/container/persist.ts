import type { Manifest } from "../common/manifest.ts";
import type { PodPart } from "../common/pod-part.ts";
import { restrictedContainer, rootHelper } from "../common/security.ts";
import { volumeClaim } from "../common/volume-claim.ts";
import { helperResources } from "./machine.ts";
import type { DevContainerPlan } from "./plan.ts";
import { bundlePart } from "./sshd-bundle.ts";

/** The claim that keeps the persisted paths. */
export function persistClaim(plan: DevContainerPlan): Manifest<"PersistentVolumeClaim"> {
  return volumeClaim(plan, plan.names.persist, plan.persistVolume);
}

// Where the seeding container sees the volume: `data/<path>` is a path's content, `seeded/<path>` its record.
const volumeRoot = "/drawbridge-persist";

/**
 * Copies each path from the image to the volume at the first start. What is on the volume wins from then on:
 * a newer image's content is not merged in. A file `.drawbridge-reseed` in a path asks for the image's content
 * at the next start; the old content is kept once, in `previous/`. tar, because cp either loses the times of files,
 * by which Python knows its caches, or complains of every owner.
 */
const seedScript = (keepOwners: boolean) => `set -u
for path in "$@"; do
  data=${volumeRoot}/data$path record=${volumeRoot}/seeded$path previous=${volumeRoot}/previous$path
  if [ -e "$data/.drawbridge-reseed" ]; then
    rm -rf "$previous"
    mkdir -p "\${previous%/*}" && rm -f "$data/.drawbridge-reseed" "$record" && mv "$data" "$previous"
  fi
  if [ -e "$record" ]; then
    was=$(cat "$record")
    [ "$was" = "$IMAGE" ] || echo "$path was seeded from $was and is kept; the image is $IMAGE now"
    continue
  fi
  # Without a record the last copy was cut off.
  rm -rf "$data"
  mkdir -p "$data" "\${record%/*}" || exit 1
  if [ -d "$path" ]; then
    { tar -C "$path" -cf - . || echo "$path: not everything could be copied; see the lines above" >&2; } |
      tar -C "$data" ${keepOwners ? "-xpf" : "-xpof"} - || exit 1
  ${keepOwners ? `else\n    chown "$OWNER" "$data" || exit 1\n  ` : ""}fi
  echo "$IMAGE" >"$record" || exit 1
  echo "$path: seeded from $IMAGE"
done
`;

/** As root inside, so that what belongs to a system's user goes on belonging to it. */
const rootSeed = { runAsUser: 0, runAsGroup: 0, ...rootHelper } as const;

/** The persisted paths and the container that seeds them, run in the user's own image. */
export function persistPart(plan: DevContainerPlan): PodPart {
  if (plan.persist.length === 0) return {};
  const claimName = plan.persistVolume.claimName ?? plan.names.persist;
  const injected = plan.ssh.mode === "injected";
  // An image that knows nothing of us may have neither sh nor tar; the bundle's busybox has both.
  const shell = injected ? ["/drawbridge/bin/busybox", "sh"] : ["sh"];
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
