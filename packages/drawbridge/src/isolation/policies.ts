/** What may be written in a team's namespace, whatever rights its people have there. */

import { injectionLabel } from "../istio/data-plane.ts";
import { istioPolicies } from "../istio/team-policies.ts";
import {
  type AdmissionPolicy,
  markedForATeam,
  mayEverywhere,
  type PolicyOwner,
} from "../kubernetes/admission.ts";
import { objectLabels, ownedByPlatform, teamLabel } from "../kubernetes/labels.ts";
import { rbacGroup } from "../kubernetes/rbac.ts";
import { addressPolicies, type SliceWriter } from "./address-policies.ts";
import { egressHostsPolicy, egressPolicy } from "./egress-policy.ts";
import { etcdPolicy } from "./etcd-policy.ts";
import { workloadPolicies } from "./workload-policies.ts";

/** @param activator the account that may write slices for containers that sleep, if there is one */
export function teamPolicies(activator?: SliceWriter): AdmissionPolicy[] {
  return [
    ...addressPolicies(activator),
    ...istioPolicies,
    egressPolicy,
    egressHostsPolicy,
    ...workloadPolicies,
    etcdPolicy,
    platformObjectsPolicy,
    tokensPolicy,
    namespacePolicy,
  ];
}

/** The owner of these policies if no SSH gateway brings them: with frp alone the platform makes them itself. */
export const platformPolicyOwner = (name: string): PolicyOwner => ({
  path: ["team-policies", name],
  labels: objectLabels("team", "platform"),
});

const anyWrite = { operations: ["CREATE", "UPDATE", "DELETE"] } as const;

/** What the platform put into a team's namespace stays as the platform made it. */
const platformObjectsPolicy: AdmissionPolicy = {
  name: "team-platform",
  requests: [
    { apiGroup: "networking.k8s.io", resources: ["networkpolicies"], ...anyWrite },
    { apiGroup: rbacGroup, resources: ["roles", "rolebindings"], ...anyWrite },
    { apiGroup: "", resources: ["resourcequotas", "limitranges", "services"], ...anyWrite },
    // That nobody else writes slices and status at all is the rule of address-policies.ts.
    { apiGroup: "discovery.k8s.io", resources: ["endpointslices"], operations: ["DELETE"] },
  ],
  inTeams: true,
  objects: { matchLabels: ownedByPlatform },
  rules: [
    {
      // The control plane may delete in every namespace: it empties one that is removed.
      expression: mayEverywhere("delete", "update"),
      messageExpression:
        "request.name + ' belongs to the platform, by its label app.kubernetes.io/component=team; ask the platform to change it'",
    },
  ],
};

/** A token that lasts, also after its maker is no deployer any more. */
const tokensPolicy: AdmissionPolicy = {
  name: "team-tokens",
  requests: [{ apiGroup: "", resources: ["secrets"], operations: ["CREATE"] }],
  inTeams: true,
  rules: [
    {
      expression: `object.?type.orValue('') != 'kubernetes.io/service-account-token' || ${mayEverywhere("create")}`,
      message:
        "a team's Secret is no token of a service account: it would last longer than its maker's rights",
    },
  ],
};

/**
 * CEL: whether `key` is the platform's. A list of what is obeyed never ends: nodes, networks, admission and the mesh of
 * each vendor have domains of their own. So a team has what has no domain and is not on this list, and kubectl's notes.
 */
const theirs = {
  labels: `key.contains('/') || key in ${JSON.stringify([injectionLabel, "control-plane", "name"])}`,
  annotations: "key.contains('/') && !key.startsWith('kubectl.kubernetes.io/')",
} as const;

/** CEL: whether those of a Namespace are unchanged. */
const unchanged = (what: keyof typeof theirs) => {
  const now = `object.metadata.?${what}.orValue({})`;
  const before = `oldObject.metadata.?${what}.orValue({})`;
  return `${now}.all(key, !(${theirs[what]}) || ${before}[?key] == optional.of(${now}[key])) && ${before}.all(key, !(${theirs[what]}) || key in ${now})`;
};

/** CEL: whether the Namespace waits for nothing, and goes with nothing, that it did not before. */
const lasting = ["finalizers", "ownerReferences"]
  .map((field) => `object.metadata.?${field}.orValue([]) == oldObject.metadata.?${field}.orValue([])`)
  .join(" && ");

const namespacePolicy: AdmissionPolicy = {
  name: "team-namespace",
  requests: [
    {
      apiGroup: "",
      resources: ["namespaces", "namespaces/status", "namespaces/finalize"],
      operations: ["UPDATE"],
    },
  ],
  objects: markedForATeam,
  rules: [
    {
      expression: `(request.?subResource.orValue('') == '' && ${unchanged("labels")} && ${unchanged("annotations")} && ${lasting}) || ${mayEverywhere("update")}`,
      message: `status, finalizers, owners, and labels and annotations with a domain (such as ${teamLabel} and openshift.io/…) of a team's namespace are the platform's to change; a team has those without one, but for ${injectionLabel}, control-plane and name`,
    },
  ],
};
