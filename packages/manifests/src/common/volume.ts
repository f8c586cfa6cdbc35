/** Volumes and their mounts, of whatever component. */
import { arg, offByDefault } from "./arg.ts";
import { absolutePath } from "./shapes.ts";

/** How a volume may be mounted. */
export const AccessMode = {
  readWriteOnce: "ReadWriteOnce",
  readWriteOncePod: "ReadWriteOncePod",
  readWriteMany: "ReadWriteMany",
} as const;
export type AccessMode = (typeof AccessMode)[keyof typeof AccessMode];

/** Of a volume that is mounted into a container. */
export const mountFields = {
  mountPath: arg(absolutePath, "Where it is mounted.", { effect: ["restart"] }),
  readOnly: offByDefault("Whether the container cannot write to it.", {
    effect: ["restart", "opens", "closes"],
  }),
};
