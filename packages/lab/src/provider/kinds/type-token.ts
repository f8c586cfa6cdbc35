/** Group, version and kind of a Pulumi resource type. */
export interface Gvk {
  readonly group: string;
  /** As in manifests: `v1`, `apps/v1`. */
  readonly apiVersion: string;
  readonly kind: string;
}

/** Kinds of the SDK that the official provider makes out of several objects or of parts of one. */
const UNSUPPORTED: readonly [RegExp, string][] = [
  [/^helm\.sh\//, "Helm charts and releases"],
  [/^yaml(\/|$)/, "YAML files and groups"],
  [/^kustomize(\/|$)/, "kustomize directories"],
];

/** Reads a type token such as `kubernetes:apps/v1:StatefulSet`, or says why there is no such kind here. */
export function parseTypeToken(token: string): Gvk {
  const [, module, kind, ...rest] = token.split(":");
  if (!token.startsWith("kubernetes:") || !module || !kind || rest.length > 0) {
    throw new Error(
      `"${token}" is no type of the Kubernetes provider. Its types look like kubernetes:apps/v1:StatefulSet.`,
    );
  }
  const unsupported = UNSUPPORTED.find(([pattern]) => pattern.test(module))?.[1];
  if (unsupported) throw notSupported(token, unsupported);
  if (kind.endsWith("Patch")) throw notSupported(token, "Patch resources");
  const [group, version, ...more] = module.split("/");
  if (!group || !version || more.length > 0) {
    throw new Error(
      `"${token}" has no group and version. The Kubernetes provider's types look like kubernetes:apps/v1:StatefulSet.`,
    );
  }
  if (kind.endsWith("List")) {
    throw new Error(
      `"${token}" is a list, which cannot be created. Declare each ${kind.slice(0, -"List".length)} as a resource of its own.`,
    );
  }
  return group === "core"
    ? { group: "", apiVersion: version, kind }
    : { group, apiVersion: `${group}/${version}`, kind };
}

function notSupported(token: string, what: string): Error {
  return new Error(
    `${what} (${token}) are not supported by the stand-in provider. Declare the Kubernetes objects themselves, or install the official provider.`,
  );
}

/** Kubernetes' own kinds that live in no namespace. */
const CLUSTER_SCOPED: Readonly<Record<string, readonly string[]>> = {
  "": ["Namespace", "Node", "PersistentVolume", "ComponentStatus"],
  "admissionregistration.k8s.io": [
    "MutatingAdmissionPolicy",
    "MutatingAdmissionPolicyBinding",
    "MutatingWebhookConfiguration",
    "ValidatingAdmissionPolicy",
    "ValidatingAdmissionPolicyBinding",
    "ValidatingWebhookConfiguration",
  ],
  "apiextensions.k8s.io": ["CustomResourceDefinition"],
  "apiregistration.k8s.io": ["APIService"],
  "certificates.k8s.io": ["CertificateSigningRequest", "ClusterTrustBundle"],
  "flowcontrol.apiserver.k8s.io": ["FlowSchema", "PriorityLevelConfiguration"],
  "networking.k8s.io": ["IngressClass", "IPAddress", "ServiceCIDR"],
  "node.k8s.io": ["RuntimeClass"],
  "rbac.authorization.k8s.io": ["ClusterRole", "ClusterRoleBinding"],
  "resource.k8s.io": ["DeviceClass", "ResourceSlice"],
  "scheduling.k8s.io": ["PriorityClass"],
  "storage.k8s.io": ["CSIDriver", "CSINode", "StorageClass", "VolumeAttachment", "VolumeAttributesClass"],
};

/** Kubernetes' own groups whose names do not end in .k8s.io. */
const PLAIN_GROUPS = new Set(["", "apps", "autoscaling", "batch", "extensions", "policy"]);

/**
 * Whether objects of a kind live in a namespace, for kinds that are known without asking a cluster; undefined for
 * custom resources.
 */
export function isNamespacedBuiltin({ group, kind }: Gvk): boolean | undefined {
  if (CLUSTER_SCOPED[group]?.includes(kind)) return false;
  return PLAIN_GROUPS.has(group) || group in CLUSTER_SCOPED ? true : undefined;
}
