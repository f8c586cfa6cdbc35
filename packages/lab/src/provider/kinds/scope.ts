import type { Gvk } from "./type-token.ts";

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
