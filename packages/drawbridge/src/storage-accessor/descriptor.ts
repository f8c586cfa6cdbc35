import { descriptor } from "../kubernetes/descriptor.ts";
import { storageAccessorSchema } from "./args-checks.ts";
import { storageObjects } from "./objects.ts";
import { planStorage } from "./plan.ts";
import { storageTargetSchema } from "./ref.ts";
import { storageSecrets } from "./secrets.ts";

export const storageAccessor = descriptor({
  title: "StorageAccessor",
  folder: "storage-accessor",
  place: "inside",
  prefix: "Storage",
  args: storageAccessorSchema,
  outputs: [storageTargetSchema],
  plan: planStorage,
  secrets: storageSecrets,
  objects: storageObjects,
  names: ({ path }) => [{ path: "name", name: path, of: "name" }],
  clientOnly: ({ browse }) => [browse?.address, browse?.proxy.address],
  keepsData: true,
});
