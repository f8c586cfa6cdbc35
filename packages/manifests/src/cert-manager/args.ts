/** The zod schema of CertManager's arguments; the documented interface is in the components package. */
import { z } from "zod";
import { showValue } from "../common/args-error.ts";
import { strict } from "../common/schema.ts";
import { dnsLabel, whole } from "../common/shapes.ts";

/** cert-manager's own releases, which its chart is numbered by. */
const release = z.string().refine((value) => /^v\d+\.\d+\.\d+(-[0-9A-Za-z.]+)?$/.test(value), {
  error: (issue) =>
    `${showValue(issue.input)} is not a release of cert-manager; write it like "v1.20.3", with the v`,
});

const repository = z.string().refine((value) => /^(https|oci):\/\/[^\s@?#]+$/.test(value), {
  // Credentials in it would be readable in the state, so the value is not shown.
  error: () => 'is not a chart repository; write it like "https://charts.jetstack.io", without credentials',
});

export const certManagerSchema = strict({
  name: dnsLabel.optional(),
  namespace: dnsLabel.default("cert-manager"),
  createNamespace: z.boolean().default(true),
  version: release.optional(),
  repository: repository.optional(),
  installCrds: z.boolean().default(true),
  replicas: whole(1, 10, "replicas").default(1),
});

export type CertManagerInput = z.input<typeof certManagerSchema>;
export type CertManagerParsed = z.output<typeof certManagerSchema>;
