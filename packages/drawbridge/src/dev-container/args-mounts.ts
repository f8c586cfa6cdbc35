/** What is mounted into a container: one list, whatever it is. */
import { z } from "zod";
import { arg, group } from "../kit/arg.ts";
import { text } from "../kit/input.ts";
import { reference } from "../kit/reference.ts";
import { exactlyOne, input } from "../kit/schema.ts";
import { mountFields } from "../kubernetes/args.ts";
import { absolutePath, dnsLabel, objectName } from "../kubernetes/shapes.ts";
import { storageRefSchema } from "../storage-accessor/ref.ts";

const sources = {
  claimName: arg(input(objectName).optional(), "A claim that exists already, in the container's namespace.", {
    effect: ["restart", "opens", "closes"],
    guard: "daily",
  }),
  secretName: arg(
    input(objectName).optional(),
    "A Secret that exists already, in the container's namespace: a folder of files that only the user reads, and nobody writes.",
    { effect: ["restart", "opens", "closes"], guard: "daily" },
  ),
  storage: arg(
    reference(storageRefSchema, "StorageAccessor").optional(),
    "A storage: a {@link StorageAccessor}, or the `ref` of one of another stack. The container waits for its preparation.",
    { effect: ["restart", "opens", "closes"] },
  ),
  volumeName: arg(input(dnsLabel).optional(), "One of `pod.volumes`, by its name.", { effect: ["restart"] }),
};

const mountSchema = group(
  "DevContainerMountArgs",
  "What is mounted, and where: exactly one of `claimName`, `secretName`, `storage` and `volumeName`.",
  {
    ...sources,
    ...mountFields,
    mountPath: arg(input(absolutePath).optional(), "Where it is mounted. Needed but for a storage.", {
      effect: ["restart"],
      default: "- `/storage/<name of the storage>`",
    }),
  },
);

export const mountsSchema = z
  .array(
    exactlyOne(mountSchema, ...Object.keys(sources))
      .superRefine(({ storage, mountPath }, context) => {
        if (storage === undefined && mountPath === undefined)
          context.addIssue({ code: "custom", path: ["mountPath"], message: "is missing" });
      })
      .transform(({ mountPath, ...mount }) => ({
        ...mount,
        mountPath: mountPath ?? text`/storage/${mount.storage?.name ?? ""}`,
      })),
  )
  .default([]);

type Mounts = z.output<typeof mountsSchema>;

/** The mounts by what they are. Each kind counts its volumes for itself, so that one more of another kind restarts nothing. */
export const planMounts = (all: Mounts) => ({
  mounts: all.flatMap(({ claimName, ...mount }) =>
    claimName === undefined ? [] : [{ ...mount, claimName }],
  ),
  secretFiles: all.flatMap(({ secretName, ...mount }) =>
    secretName === undefined ? [] : [{ ...mount, secretName }],
  ),
  storage: all.flatMap(({ storage, ...mount }) =>
    storage === undefined ? [] : [{ ...mount, from: storage }],
  ),
  volumeMounts: all.flatMap(({ volumeName, mountPath, subPath, readOnly }) =>
    volumeName === undefined ? [] : [{ name: volumeName, mountPath, subPath, readOnly }],
  ),
});

export type MountsPlan = ReturnType<typeof planMounts>;
