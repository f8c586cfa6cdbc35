/** Changes for tests, each field with a default, so that a test names only what it is about. */
import type { Change, Preview } from "./preview.ts";

const groups: Readonly<Record<string, string>> = {
  StatefulSet: "apps",
  Deployment: "apps",
  DaemonSet: "apps",
  Job: "batch",
  NetworkPolicy: "networking.k8s.io",
  Role: "rbac.authorization.k8s.io",
  ClusterRole: "rbac.authorization.k8s.io",
  RoleBinding: "rbac.authorization.k8s.io",
  ClusterRoleBinding: "rbac.authorization.k8s.io",
  VirtualService: "networking.istio.io",
  Gateway: "networking.istio.io",
  EnvoyFilter: "networking.istio.io",
  ServiceEntry: "networking.istio.io",
  AuthorizationPolicy: "security.istio.io",
  ValidatingAdmissionPolicy: "admissionregistration.k8s.io",
  ValidatingAdmissionPolicyBinding: "admissionregistration.k8s.io",
  PodDisruptionBudget: "policy",
  EndpointSlice: "discovery.k8s.io",
  Sandbox: "agents.x-k8s.io",
};

export function change(kind: string, name: string, fields: Partial<Change> & { of?: string } = {}): Change {
  const { of, ...rest } = fields;
  const type = `kubernetes:${groups[kind] ?? "core"}/v1:${kind}`;
  return {
    op: "update",
    urn: `urn:pulumi:stack::project::${type}::${name}`,
    type,
    name,
    component:
      of === undefined
        ? undefined
        : { type: `drawbridge:index:${of.split(" ")[0]}`, name: of.split(" ")[1] ?? "" },
    isOwnerNew: false,
    before: {},
    after: {},
    isCustom: true,
    retained: false,
    differing: [],
    ...rest,
  };
}

/** A preview of these changes that ran to its end. */
export function whole(changes: readonly Change[]): Preview {
  return { changes, failures: [] };
}
