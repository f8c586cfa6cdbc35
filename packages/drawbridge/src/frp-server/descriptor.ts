import { descriptor } from "../kubernetes/descriptor.ts";
import { frpServerSchema } from "./args.ts";
import { serverSecrets } from "./certificate.ts";
import { frpServerObjects } from "./objects.ts";
import { planFrpServer } from "./plan.ts";

export const frpServer = descriptor({
  title: "FrpServer",
  folder: "frp-server",
  place: "platform",
  args: frpServerSchema,
  plan: planFrpServer,
  secrets: serverSecrets,
  objects: frpServerObjects,
  isWall: true,
});
