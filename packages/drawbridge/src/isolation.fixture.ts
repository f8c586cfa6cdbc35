/** Arguments of the components whose isolation is recorded, by the names of `recorded/isolation-*.yaml`. */

import type { DevContainerArgs } from "./generated/dev-container.ts";
import type { FrpServerArgs } from "./generated/frp-server.ts";
import type { SshGatewayArgs } from "./generated/ssh-gateway.ts";
import type { StorageAccessorArgs, StorageBrowseArgs } from "./generated/storage-accessor.ts";
import type { StorageProxyArgs } from "./generated/storage-proxy.ts";
import type { TeamArgs } from "./generated/team.ts";
import { compact, deletionPolicy, ifAny } from "./kubernetes/manifest.ts";

const seed = "only-for-tests-0123456789abcdef0123456789abcdef";
const key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAICOp7m/T0uXYQbLaxCyYOBnH+nILl2oMszTc7NNkhxbN alice";
const certificate = (of: string) => `-----BEGIN CERTIFICATE-----\n${of}\n-----END CERTIFICATE-----\n`;
const gateway = { name: "ssh", namespace: "ssh", domain: "dev.example.com", plainPort: 80 };
const loadBalancer = { preset: "generic" } as const;
const container = {
  namespace: "team-a",
  image: "devcontainer:1",
  authorizedKeys: [key],
  hostKey: { seed },
  access: { gateway },
};

export const gateways: Record<string, SshGatewayArgs> = {
  gateway: { domain: "dev.example.com", loadBalancer },
  "gateway-with-certificates": {
    domain: "dev.example.com",
    listeners: {
      tls: {
        certificate: { issuerCaSecretName: "corp-ca", caBundle: certificate("server") },
        clientCa: certificate("clients"),
      },
    },
    allowIdentities: ["spiffe://example.com/user/alice"],
    dnsName: "ssh.dev.example.com",
    loadBalancer,
  },
  "gateway-with-idle": {
    domain: "dev.example.com",
    loadBalancer,
    egress: { apiServer: [{ cidr: "192.0.2.10/32" }] },
    idle: {
      image: "idle:1",
      gpuMetrics: { prometheus: "http://prometheus.monitoring.svc:9090", namespace: "monitoring" },
    },
  },
  "gateway-of-somebody-else": {
    domain: "dev.example.com",
    existing: { namespace: "edge", selector: { istio: "edge" }, address: "192.0.2.7" },
  },
};

export const containers: Record<string, DevContainerArgs> = {
  container,
  "container-with-everything": {
    ...container,
    access: {
      gateway: { ...gateway, tlsPort: 443, mutualTls: true },
      allowIdentities: ["spiffe://example.com/user/alice"],
      sshpod: { users: ["alice"], groups: ["team-a"] },
    },
    ports: [
      { name: "web", port: 8080, primary: true },
      { name: "api", port: 9090, throughGateway: true },
    ],
    ingress: [
      { namespace: "team-b", podLabels: { app: "b" }, ports: [8080] },
      { podLabels: { app: "a" }, ports: [9090] },
    ],
    egress: {
      deny: ["192.0.2.1/32"],
      allow: [{ cidr: "10.20.0.0/16", ports: [443] }, { cidr: "10.30.0.0/16" }],
      dns: ["10.0.0.53/32"],
    },
    ssh: {
      userCa: { keys: [key], principals: ["alice"] },
      sessionsValidFrom: "2026-11-24T09:30:00Z",
      port: 2222,
    },
    startupScript: "#!/bin/sh\necho hello\n",
  },
  "container-without-internet": {
    ...container,
    egress: { internet: false },
    ssh: { mode: "sidecar", image: "devcontainer:1" },
  },
  "container-of-any-image": { ...container, ssh: { mode: "injected", image: "sshd-bundle:1" } },
  "container-with-root": { ...container, root: true, team: { namespace: "team-a", root: true } },
  "container-with-containers": {
    ...container,
    root: true,
    containersInside: true,
    team: { namespace: "team-a", root: true, containersInside: true },
  },
  "container-that-sleeps": {
    ...container,
    access: {
      gateway: {
        ...gateway,
        idle: {
          namespace: "ssh",
          cullerServiceAccountName: "ssh-culler",
          activatorServiceAccountName: "ssh-activator",
          gpuMetrics: false,
        },
      },
    },
    idle: {},
  },
  "container-through-frp": {
    ...container,
    access: {
      gateway,
      frp: {
        server: {
          serverAddr: "frp.frp.svc.cluster.local",
          caBundle: certificate("frps"),
          domain: "ssh.example.com",
          authorizer: { namespace: "frp", serviceAccountName: "frp" },
        },
        address: "192.0.2.7",
        customDomain: "box.team-a.ssh.example.com",
        token: seed,
      },
    },
  },
};

export const teams: Record<string, TeamArgs> = {
  team: {
    allowedPrivateNetworks: ["10.1.0.0/16", "fd00::/8"],
    deployers: {
      users: ["ann"],
      groups: ["a-team"],
      serviceAccounts: [{ name: "ci", namespace: "build" }],
    },
    limits: { default: { memory: "256Mi" } },
  },
  "team-with-root": {
    allowedPrivateNetworks: ["10.1.0.0/16"],
    root: { allowedServiceAccountNames: ["team-a-buckets"] },
  },
  "team-with-containers-inside": { root: { containersInside: true } },
};

const frp = {
  domain: "ssh.example.com",
  seed,
  authorizer: { image: "programs:1" },
  egress: { apiServer: [{ cidr: "192.0.2.10/32" }] },
  loadBalancer,
};

export const frpServers: Record<string, FrpServerArgs> = {
  frp,
  "frp-behind-a-gateway": {
    ...frp,
    connectTls: {
      dnsName: "frp.example.com",
      secretName: "frp-tls",
      gateway: { namespace: "edge", selector: { istio: "edge" } },
    },
    exposeServerPort: true,
    metricsNamespaces: ["monitoring"],
    egress: { apiServer: [{ cidr: "192.0.2.10/32" }] },
    containers: [{ namespace: "team-a", name: "dev1", domains: ["short.ssh.example.com"] }],
  },
};

/** A proxy, and a storage behind it. */
export interface StorageCase {
  readonly proxy: StorageProxyArgs;
  readonly storage: Omit<StorageAccessorArgs, "browse">;
  readonly browse: Omit<StorageBrowseArgs, "proxy">;
}

const storage = { namespace: "team-a", size: "1Gi" };
const credentials = [{ user: "alice", password: "only-for-tests-0123456789" }];

const jwt = { issuer: "https://id.example.com", jwks: '{"keys":[{}]}', values: ["team-a", "team-b"] };

export const storages: Record<string, StorageCase> = {
  "storage-with-passwords": { proxy: { loadBalancer }, storage, browse: { credentials } },
  "storage-with-tokens": {
    proxy: { dnsName: "files.example.com", tls: { secretName: "files-tls" }, loadBalancer },
    storage,
    browse: { credentials, jwt },
  },
  "storage-with-tokens-alone": {
    proxy: {
      dnsName: "files.example.com",
      tls: { secretName: "files-tls" },
      loadBalancer,
      egress: { dns: ["192.0.2.53/32"] },
    },
    storage,
    browse: { jwt: { ...jwt, audiences: ["files"], claim: "teams" } },
  },
};

/** Kinds that say who may reach or do what. */
export const isolationKinds = [
  "AuthorizationPolicy",
  "ClusterRole",
  "ClusterRoleBinding",
  "ConfigMap",
  "DestinationRule",
  "EnvoyFilter",
  "Gateway",
  "LimitRange",
  "Namespace",
  "NetworkPolicy",
  "ResourceQuota",
  "Role",
  "RoleBinding",
  "ServiceAccount",
  "Sidecar",
  "ValidatingAdmissionPolicy",
  "ValidatingAdmissionPolicyBinding",
  "VirtualService",
];

/** The object without the annotation by which Pulumi deletes it: that isolates nothing. */
export function asBuilt<T extends { metadata: { annotations?: object } }>(object: T): T {
  const { [deletionPolicy]: _, ...annotations } = (object.metadata.annotations ?? {}) as Record<
    string,
    string
  >;
  return { ...object, metadata: compact({ ...object.metadata, annotations: ifAny(annotations) }) };
}
