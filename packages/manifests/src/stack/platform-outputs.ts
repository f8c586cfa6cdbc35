/** Outputs of a platform's stack that a team uses. */
export interface PlatformOutputs {
  readonly gateway?: unknown;
  readonly frp?: unknown;
  readonly storageProxy?: unknown;
  /** By namespace. */
  readonly teams?: unknown;
  /** Undefined while unknown, and for a platform without people. */
  readonly people?: unknown;
}

/** Stands for unknown outputs, with everything in each that a container can ask for. */
export const unknownOutputs: PlatformOutputs = {
  gateway: {
    name: "unknown",
    namespace: "unknown",
    domain: "unknown.invalid",
    address: "unknown.invalid",
    plainPort: 80,
    tlsPort: 443,
    mutualTls: true,
    idle: {
      namespace: "unknown",
      cullerServiceAccountName: "unknown",
      activatorServiceAccountName: "unknown",
      gpuMetrics: true,
    },
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
