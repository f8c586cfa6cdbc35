/** Outputs of a platform's stack that a team uses. */
export interface PlatformOutputs {
  readonly gateway?: unknown;
  readonly frp?: unknown;
  readonly storageProxy?: unknown;
  /** By namespace. */
  readonly teams?: unknown;
  /** Undefined where nobody knows; a platform without people gives out none. */
  readonly people?: unknown;
}

/** Stands for outputs of which nothing is known; as much of each as a container can ask for. */
export const unknownOutputs: PlatformOutputs = {
  gateway: {
    name: "unknown",
    namespace: "unknown",
    domain: "unknown.invalid",
    address: "unknown.invalid",
    plainPort: 80,
    tlsPort: 443,
    mutualTls: true,
    idle: { namespace: "unknown", culler: "unknown", activator: "unknown", gpuMetrics: true },
  },
  frp: {
    serverAddr: "unknown.invalid",
    caBundle: "-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----\n",
    connectAddress: "unknown.invalid",
    domain: "unknown.invalid",
    authorizer: { namespace: "unknown", serviceAccountName: "unknown" },
  },
  storageProxy: { name: "unknown", namespace: "unknown" },
};
