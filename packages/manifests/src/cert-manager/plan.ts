import { objectLabels } from "../common/labels.ts";
import type { CertManagerParsed } from "./args.ts";

/** An installation of cert-manager with every default decided. */
export type CertManagerPlan = ReturnType<typeof planCertManager>;

/** @param logicalName the component's name, the default for the release's name */
export function planCertManager(logicalName: string, args: CertManagerParsed) {
  const name = args.name ?? logicalName;
  return { ...args, name, labels: objectLabels("cert-manager", name) };
}
