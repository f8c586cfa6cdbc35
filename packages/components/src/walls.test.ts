/**
 * The objects that keep teams apart, whole, as `recorded/walls-*.yaml` has them: who changes a wall changes a line there,
 * and sees it in the review. `npm run test:unit -- packages/components/src/walls.test.ts -u` writes them anew. That each wall
 * holds is shown by the attacks in `test/lab`.
 */
import * as pulumi from "@pulumi/pulumi";
import { expect, it } from "vitest";
import { stringify } from "yaml";
import { DevContainer, FrpServer, SshGateway, StorageAccessor, StorageProxy } from "./index.ts";

/** Kinds that say who may reach or do what. */
const walls = [
  "AuthorizationPolicy",
  "ClusterRole",
  "ClusterRoleBinding",
  "ConfigMap",
  "DestinationRule",
  "EnvoyFilter",
  "Gateway",
  "Namespace",
  "NetworkPolicy",
  "Role",
  "RoleBinding",
  "ServiceAccount",
  "Sidecar",
  "ValidatingAdmissionPolicy",
  "ValidatingAdmissionPolicyBinding",
  "VirtualService",
];
/** Of a workload: what its pods may. */
const workloads = ["Deployment", "StatefulSet", "Job"];

type Inputs = Record<string, unknown> & { kind: string; metadata: { name: string } };

function template(inputs: Inputs): unknown {
  const { metadata, spec } = (
    inputs.spec as { template: { metadata: object; spec: Record<string, unknown> } }
  ).template;
  const containers = (all: unknown) =>
    ((all ?? []) as Record<string, unknown>[]).map(({ name, securityContext }) => ({
      name,
      securityContext,
    }));
  const { serviceAccountName, automountServiceAccountToken, securityContext } = spec;
  return {
    kind: inputs.kind,
    name: inputs.metadata.name,
    pods: {
      metadata,
      ...{ serviceAccountName, automountServiceAccountToken, securityContext },
      containers: containers(spec.containers),
      initContainers: containers(spec.initContainers),
    },
  };
}

/** The walls of what a program makes, in the order of their kinds and names. */
async function wallsOf(program: () => void): Promise<string> {
  const registered: Inputs[] = [];
  await pulumi.runtime.setMocks({
    newResource: ({ name, inputs }) => {
      if (typeof inputs.kind === "string") registered.push(inputs);
      // A load balancer that has its address, which others wait for.
      return { id: name, state: { ...inputs, status: { loadBalancer: { ingress: [{ ip: "192.0.2.7" }] } } } };
    },
    call: ({ inputs }) => inputs,
  });
  program();
  // What waits for another resource is registered a moment later.
  for (let before = -1; before !== registered.length; ) {
    before = registered.length;
    await pulumi.runtime.disconnect();
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  const name = ({ kind, metadata }: Inputs) => `${kind} ${metadata.name}`;
  const objects = registered
    .toSorted((a, b) => name(a).localeCompare(name(b)))
    .flatMap<unknown>((inputs) => {
      if (walls.includes(inputs.kind)) return [inputs];
      return workloads.includes(inputs.kind) ? [template(inputs)] : [];
    });
  return objects
    .map((object) => stringify(object, { aliasDuplicateObjects: false, lineWidth: 0 }))
    .join("---\n");
}

const seed = "only-for-tests-0123456789abcdef0123456789abcdef";
const key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAICOp7m/T0uXYQbLaxCyYOBnH+nILl2oMszTc7NNkhxbN alice";
const certificate = (of: string) => `-----BEGIN CERTIFICATE-----\n${of}\n-----END CERTIFICATE-----\n`;
const gateway = { name: "ssh", namespace: "ssh", domain: "dev.example.com", plainPort: 80 };
const container = {
  namespace: "team-a",
  image: "devcontainer:1",
  authorizedKeys: [key],
  hostKey: { seed },
  access: { gateway },
};
const credentials = [{ user: "alice", password: "only-for-tests-0123456789" }];

const cases: Record<string, () => void> = {
  gateway: () => {
    new SshGateway("ssh", { domain: "dev.example.com", loadBalancer: { preset: "generic" } });
  },
  "gateway-with-certificates": () => {
    new SshGateway("ssh", {
      domain: "dev.example.com",
      listeners: {
        tls: {
          certificate: { caSecretName: "corp-ca", caBundle: certificate("server") },
          clientCa: certificate("clients"),
        },
      },
      allow: { identities: ["spiffe://example.com/user/alice"] },
      dnsName: "ssh.dev.example.com",
      loadBalancer: { preset: "generic" },
    });
  },
  container: () => {
    new DevContainer("dev1", container);
  },
  "container-with-everything": () => {
    new DevContainer("dev1", {
      ...container,
      access: {
        gateway: { ...gateway, tlsPort: 443, mutualTls: true },
        allowIdentities: ["spiffe://example.com/user/alice"],
        sshpod: { users: ["alice"], groups: ["team-a"] },
        primaryPort: "web",
      },
      userCa: { keys: [key], principals: ["alice"] },
      ports: [
        { name: "web", port: 8080 },
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
      ssh: { endRevokedSessions: true, port: 2222 },
    });
  },
  "container-without-internet": () => {
    new DevContainer("dev1", {
      ...container,
      egress: { internet: false },
      ssh: { mode: "sidecar", image: "devcontainer:1" },
    });
  },
  "container-of-any-image": () => {
    new DevContainer("dev1", { ...container, ssh: { mode: "injected", image: "sshd-bundle:1" } });
  },
  frp: () => {
    new FrpServer("frp", {
      domainSuffix: "ssh.example.com",
      seed,
      authorizer: { image: "frp-authorizer:1" },
      loadBalancer: { preset: "generic" },
    });
  },
  "storage-standalone": () => {
    const proxy = new StorageProxy("files", { loadBalancer: { preset: "generic" } });
    new StorageAccessor("models", {
      namespace: "team-a",
      size: "1Gi",
      browse: { proxy: proxy.ref, credentials },
    });
  },
  "storage-istio": () => {
    const proxy = new StorageProxy("files", {
      mode: "istio",
      host: "files.example.com",
      loadBalancer: { preset: "generic" },
    });
    new StorageAccessor("models", {
      namespace: "team-a",
      size: "1Gi",
      browse: { proxy: proxy.ref, credentials },
    });
  },
};

it.each(Object.entries(cases))("are what is recorded: %s", async (name, program) => {
  await expect(await wallsOf(program)).toMatchFileSnapshot(`recorded/walls-${name}.yaml`);
});
