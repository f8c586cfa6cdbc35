/** What may be written in a team's namespace, whatever rights its people have there. */
import {
  type AdmissionPolicy,
  markedForATeam,
  mayEverywhere,
  type PolicyOwner,
} from "../common/admission.ts";
import { objectLabels, prefix, teamLabel } from "../common/labels.ts";
import { rbacGroup } from "../common/rbac.ts";
import { obeyed, obeyedDomains } from "../istio/data-plane.ts";
import { istioPolicies } from "../istio/team-policies.ts";
import { addressPolicies, type SliceWriter } from "./address-policies.ts";
import { egressPolicy } from "./egress-policy.ts";
import { ownedByPlatform } from "./namespace.ts";

/** @param activator the account that may write slices for containers that sleep, if there is one */
export function teamPolicies(activator?: SliceWriter): AdmissionPolicy[] {
  return [
    ...addressPolicies(activator),
    ...istioPolicies,
    egressPolicy,
    replicasPolicy,
    podsPolicy,
    platformObjectsPolicy,
    namespacePolicy,
  ];
}

/** Whose they are where no SSH gateway brings them: with frp alone the platform makes them itself. */
export const platformPolicyOwner = (name: string): PolicyOwner => ({
  name,
  namespace: "platform",
  labels: objectLabels("team", "platform"),
});

const mostReplicas = 100;

/** One of 2,147,483,647 replicas takes 17 GiB of the cluster's controller manager, which then manages nothing for anybody. */
const replicasPolicy: AdmissionPolicy = {
  name: "team-replicas",
  requests: [{ apiGroup: "apps", resources: ["statefulsets", "statefulsets/scale"] }],
  inTeams: true,
  rules: [
    {
      expression: `object.spec.?replicas.orValue(1) <= ${mostReplicas}`,
      message: `a StatefulSet of a team's namespace may have at most ${mostReplicas} replicas: the cluster's controllers hold all of them in memory`,
    },
  ],
};

const antiAffinity = "object.spec.?affinity.?podAntiAffinity.?requiredDuringSchedulingIgnoredDuringExecution";

/** What a pod asks of the scheduler at the cost of others' pods. */
const podsPolicy: AdmissionPolicy = {
  name: "team-pods",
  requests: [{ apiGroup: "", resources: ["pods"] }],
  inTeams: true,
  rules: [
    {
      expression: `${antiAffinity}.orValue([]).all(term, !has(term.namespaceSelector) && term.?namespaces.orValue([]).all(name, name == request.namespace))`,
      message:
        "a team's pod must not keep away from pods of other namespaces: none of those would be scheduled where it is",
    },
    {
      expression: "!object.spec.?priorityClassName.orValue('').startsWith('system-')",
      message:
        "a team's pod may not have a priority of the cluster's own: others' pods would be ended to make room for it",
    },
  ],
};

/** What the platform put into a team's namespace stays as the platform made it. */
const platformObjectsPolicy: AdmissionPolicy = {
  name: "team-platform",
  requests: [
    {
      apiGroup: "networking.k8s.io",
      resources: ["networkpolicies"],
      operations: ["CREATE", "UPDATE", "DELETE"],
    },
    {
      apiGroup: rbacGroup,
      resources: ["roles", "rolebindings"],
      operations: ["CREATE", "UPDATE", "DELETE"],
    },
    {
      apiGroup: "",
      resources: ["resourcequotas", "resourcequotas/status", "limitranges", "services"],
      operations: ["CREATE", "UPDATE", "DELETE"],
    },
    // Their addresses nobody else writes at all (address-policies.ts).
    { apiGroup: "discovery.k8s.io", resources: ["endpointslices"], operations: ["DELETE"] },
  ],
  inTeams: true,
  objects: { matchLabels: ownedByPlatform },
  rules: [
    {
      // What removes a whole namespace may delete in all of them; what counts for quotas writes their status in all.
      expression: `${mayEverywhere("delete")} || ${mayEverywhere("update")}`,
      messageExpression:
        "request.name + ' belongs to the platform, by its label app.kubernetes.io/component=team; ask the platform to change it'",
    },
  ],
};

/** CEL: the labels or annotations of a team's Namespace that make it what it is are as they were. */
const unchanged = (what: "labels" | "annotations") => {
  const guarded = `key.startsWith('${prefix}/') || ${obeyed[what]}`;
  const now = `object.metadata.?${what}.orValue({})`;
  const before = `oldObject.metadata.?${what}.orValue({})`;
  return `${now}.all(key, !(${guarded}) || ${before}[?key] == optional.of(${now}[key])) && ${before}.all(key, !(${guarded}) || key in ${now})`;
};

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
      expression: `(request.?subResource.orValue('') == '' && ${unchanged("labels")} && ${unchanged("annotations")}) || ${mayEverywhere("update")}`,
      message: `status, finalizers, and labels and annotations of ${prefix}, ${obeyedDomains} (such as ${teamLabel} and pod-security.kubernetes.io/…) of a team's namespace are the platform's to change`,
    },
  ],
};
