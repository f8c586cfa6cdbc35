/** The arguments of CertManager. */
import type { z } from "zod";
import { arg, group, onByDefault, PlainReason, plainOnByDefault } from "../kit/arg.ts";
import { orLogicalName } from "../kit/default-name.ts";
import { crossing } from "../kit/guard.ts";
import { input } from "../kit/schema.ts";
import { matching, whole } from "../kit/shapes.ts";
import { objectLabels } from "../kubernetes/labels.ts";
import { dnsLabel } from "../kubernetes/shapes.ts";

/** cert-manager's own releases, which its chart is numbered by. */
const release = matching(
  /^v\d+\.\d+\.\d+(-[0-9A-Za-z.]+)?$/,
  '{{value}} is not a release of cert-manager; write it like "v1.20.3", with the v',
);

// Credentials in it would be readable in the state, so the value is not shown.
const repository = matching(
  /^(https|oci):\/\/[^\s@?#]+$/,
  'is not a chart repository; write it like "https://charts.jetstack.io", without credentials',
);

export const certManagerSchema = group("CertManagerArgs", "Arguments of {@link CertManager}.", {
  name: arg(orLogicalName(dnsLabel), "Name of the Helm release.", {
    default: "the component's logical name",
    plain: PlainReason.names,
  }),
  namespace: arg(
    input(dnsLabel).default("cert-manager"),
    "The namespace in which cert-manager runs. ClusterIssuers find their Secrets there.",
  ),
  createNamespace: plainOnByDefault(
    PlainReason.resources,
    'Whether to create that namespace, with Pod Security "restricted" enforced.',
  ),
  version: arg(
    input(release).optional(),
    "The release of cert-manager. Name one: without it a newer chart shows up in the next preview as an upgrade.",
    { default: "- the newest that the chart repository has", example: '"v1.20.3"' },
  ),
  repository: arg(
    repository.optional(),
    "The Helm repository of the chart, for clusters that use a mirror; with `oci://` the folder that holds the chart.",
    {
      default: "- cert-manager's own",
      example: '"oci://registry.example.com/charts"',
      guard: crossing("cluster-rights"),
      plain: PlainReason.form,
    },
  ),
  installCrds: onByDefault(
    "Whether the release brings the definitions of Certificate, Issuer and the others. They stay when " +
      "it goes, with every Certificate; installing it again needs the same `name`, which adopts them.",
  ),
  replicas: arg(
    input(whole(1, 10, "replicas")).default(1),
    "How many controllers run; one of them works, the others wait.",
  ),
});

/** An installation of cert-manager with every default decided. */
export type CertManagerPlan = ReturnType<typeof planCertManager>;

/** @param logicalName the component's name, the default for the release's name */
export function planCertManager(logicalName: string, args: z.output<typeof certManagerSchema>) {
  const name = args.name ?? logicalName;
  return { ...args, name, labels: objectLabels("cert-manager", name) };
}
