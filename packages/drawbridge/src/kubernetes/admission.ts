/**
 * Policies that the API server itself holds: ValidatingAdmissionPolicies, each a few CEL rules over one kind of object.
 * Source: https://kubernetes.io/docs/reference/access-authn-authz/validating-admission-policy/
 */
import { namespaceNameLabel, teamLabel } from "./labels.ts";
import { compact, type Manifest } from "./manifest.ts";
import { clusterName } from "./names.ts";

/** A CEL rule and what the API server says when it does not hold. */
export type AdmissionRule =
  | { readonly expression: string; readonly message: string }
  | { readonly expression: string; readonly messageExpression: string };

/** Which requests a policy judges. */
interface Requests {
  readonly apiGroup: string;
  readonly resources: readonly string[];
  /** @default CREATE and UPDATE */
  readonly operations?: readonly ("CREATE" | "UPDATE" | "DELETE")[];
}

interface LabelSelector {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: { readonly key: string; readonly operator: string }[];
}

/** One ValidatingAdmissionPolicy, without its owner. */
export interface AdmissionPolicy {
  /** Ends the policy's name; empty for the owner's first policy. */
  readonly name: string;
  readonly requests: readonly Requests[];
  /** Whether only objects that stand in a namespace are judged, where `resources` would take others too. */
  readonly inNamespaces?: true;
  /** The ResourceQuota of the object's namespace that is `params` in CEL; a namespace without it is not judged. */
  readonly quota?: string;
  /** Whether only namespaces that belong to a team are judged. */
  readonly inTeams?: boolean;
  /** The only namespace that is judged, by its name, which nobody can change. */
  readonly namespace?: string;
  /** Which objects are judged, before or after the change. */
  readonly objects?: LabelSelector;
  readonly conditions?: readonly { readonly name: string; readonly expression: string }[];
  readonly variables?: readonly { readonly name: string; readonly expression: string }[];
  readonly rules: readonly AdmissionRule[];
}

/** Whose policies these are. */
export interface PolicyOwner {
  /** Of what kind it is, and its names, which keep those of two owners' policies apart. */
  readonly path: readonly string[];
  readonly labels: Readonly<Record<string, string>>;
}

/** Selects what a team's mark is on: namespaces by their labels. */
export const markedForATeam: LabelSelector = { matchExpressions: [{ key: teamLabel, operator: "Exists" }] };

/** CEL: whether the object stands in a team's namespace. */
export const inATeam = `('${teamLabel}' in namespaceObject.metadata.?labels.orValue({}))`;

/**
 * CEL: whether who asks may do one of `verbs` to this kind in every namespace. The control plane and the cluster's
 * administrators may; a right that ends at one namespace is not enough.
 */
export function mayEverywhere(...verbs: readonly ("create" | "update" | "patch" | "delete")[]): string {
  const kind =
    "group(request.resource.group).resource(request.resource.resource).subresource(request.?subResource.orValue(''))";
  return verbs.map((verb) => `authorizer.${kind}.check('${verb}').allowed()`).join(" || ");
}

const nameOf = ({ path }: PolicyOwner, { name }: AdmissionPolicy) =>
  clusterName(...path, ...(name === "" ? [] : [name]));

export function admissionPolicy(
  owner: PolicyOwner,
  policy: AdmissionPolicy,
): Manifest<"ValidatingAdmissionPolicy"> {
  return {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingAdmissionPolicy",
    metadata: { name: nameOf(owner, policy), labels: owner.labels },
    spec: compact({
      // What cannot be judged is refused.
      failurePolicy: "Fail",
      paramKind: policy.quota === undefined ? undefined : { apiVersion: "v1", kind: "ResourceQuota" },
      matchConstraints: compact({
        namespaceSelector: namespacesOf(policy),
        objectSelector: policy.objects,
        resourceRules: policy.requests.map(({ apiGroup, resources, operations = ["CREATE", "UPDATE"] }) =>
          compact({
            apiGroups: [apiGroup],
            apiVersions: ["*"],
            operations: [...operations],
            resources: [...resources],
            scope: policy.inNamespaces && "Namespaced",
          }),
        ),
      }),
      matchConditions: policy.conditions && [...policy.conditions],
      variables: policy.variables && [...policy.variables],
      validations: [...policy.rules],
    }),
  };
}

function namespacesOf({ inTeams, namespace }: AdmissionPolicy): LabelSelector | undefined {
  if (namespace !== undefined) return { matchLabels: { [namespaceNameLabel]: namespace } };
  return inTeams === true ? markedForATeam : undefined;
}

export function admissionPolicyBinding(
  owner: PolicyOwner,
  policy: AdmissionPolicy,
): Manifest<"ValidatingAdmissionPolicyBinding"> {
  return {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingAdmissionPolicyBinding",
    metadata: { name: nameOf(owner, policy), labels: owner.labels },
    spec: compact({
      policyName: nameOf(owner, policy),
      paramRef:
        policy.quota === undefined ? undefined : { name: policy.quota, parameterNotFoundAction: "Allow" },
      validationActions: ["Deny"],
    }),
  };
}

/** external-dns gives whatever name an annotation asks for, the gateway's too. */
export const noDnsNames: AdmissionRule = {
  expression:
    "object.metadata.?annotations.orValue({}).all(key, !key.lowerAscii().startsWith('external-dns.'))",
  message:
    "annotations external-dns.… are not for a team's namespace: names in the DNS are the platform's to give",
};
