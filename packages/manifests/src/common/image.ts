/** When a node pulls an image. */
export const ImagePullPolicy = { always: "Always", ifNotPresent: "IfNotPresent", never: "Never" } as const;
export type ImagePullPolicy = (typeof ImagePullPolicy)[keyof typeof ImagePullPolicy];
