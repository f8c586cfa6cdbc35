/** How a volume may be mounted. */
export const AccessMode = {
  readWriteOnce: "ReadWriteOnce",
  readWriteOncePod: "ReadWriteOncePod",
  readWriteMany: "ReadWriteMany",
} as const;
export type AccessMode = (typeof AccessMode)[keyof typeof AccessMode];
