// Made by `npm run docs` from the schemas in packages/drawbridge/src; change those.
import type * as pulumi from "@pulumi/pulumi";

/** Arguments of {@link CertManager}. */
export interface CertManagerArgs {
  /** Name of the Helm release. @default the component's logical name */
  name?: string;
  /** The namespace in which cert-manager runs. ClusterIssuers find their Secrets there. @default "cert-manager" */
  namespace?: pulumi.Input<string>;
  /** Whether to create that namespace, with Pod Security "restricted" enforced. @default true */
  createNamespace?: boolean;
  /**
   * The release of cert-manager. Name one: without it a newer chart shows up in the next preview as an upgrade.
   * @default - the newest that the chart repository has
   * @example "v1.20.3"
   */
  version?: string;
  /**
   * The Helm repository of the chart, for clusters that use a mirror; with `oci://` the folder that holds the chart.
   * @default - cert-manager's own
   * @example "oci://registry.example.com/charts"
   */
  repository?: string;
  /**
   * Whether the release brings the definitions of Certificate, Issuer and the others. They stay when it goes, with
   * every Certificate; installing it again needs the same `name`, which adopts them.
   * @default true
   */
  installCrds?: boolean;
  /** How many controllers run; one of them works, the others wait. @default 1 */
  replicas?: number;
}
