/** Arguments of {@link CertManager}. */
export interface CertManagerArgs {
  /**
   * Name of the Helm release.
   * @default the component's logical name
   */
  name?: string;
  /**
   * The namespace in which cert-manager runs. ClusterIssuers find their Secrets there.
   * @default "cert-manager"
   */
  namespace?: string;
  /**
   * Whether to create that namespace, with Pod Security "restricted" enforced.
   * @default true
   */
  createNamespace?: boolean;
  /**
   * The release of cert-manager. Name one, so that the same stack installs the same program tomorrow.
   * @example "v1.16.2"
   * @default - the newest that the chart repository has
   */
  version?: string;
  /**
   * The Helm repository of the chart, for clusters that use a mirror.
   * @default - cert-manager's own
   */
  repository?: string;
  /**
   * Whether the release brings the definitions of Certificate, Issuer and the others. They go when it goes, and
   * every Certificate with them.
   * @default true
   */
  installCrds?: boolean;
  /**
   * How many controllers run; one of them works, the others wait.
   * @default 1
   */
  replicas?: number;
}
