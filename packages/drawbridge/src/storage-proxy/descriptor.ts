import { descriptor, noSecrets } from "../kubernetes/descriptor.ts";
import { storageProxySchema } from "./args.ts";
import { storageProxyObjects } from "./objects.ts";
import { planStorageProxy } from "./plan.ts";

export const storageProxy = descriptor({
  title: "StorageProxy",
  folder: "storage-proxy",
  place: "platform",
  args: storageProxySchema,
  plan: planStorageProxy,
  secrets: noSecrets,
  objects: storageProxyObjects,
  isWall: true,
});
