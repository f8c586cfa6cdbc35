import { descriptor, noSecrets } from "../kubernetes/descriptor.ts";
import { certManagerSchema, planCertManager } from "./args.ts";
import { certManagerObjects } from "./objects.ts";

export const certManager = descriptor({
  title: "CertManager",
  folder: "cert-manager",
  place: "platform",
  entry: "cert-manager",
  args: certManagerSchema,
  plan: planCertManager,
  secrets: noSecrets,
  objects: certManagerObjects,
});
