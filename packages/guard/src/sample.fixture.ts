/** Changes for tests, each field with a default, so that a test names only what it is about. */
import type { Change } from "./change.ts";
import { generatedOf } from "./ours/components.ts";
import { hiddenKind } from "./ours/stand-in.ts";
import type { Preview } from "./preview.ts";
import { secretText, unknownText } from "./values.ts";

export const today = new Date("2026-06-15T12:00:00Z");

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
  ResourceClaim: "resource.k8s.io",
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

/** What a preview shows in the place of a value that is not shown. */
const masks = { secret: secretText, unknown: unknownText, derived: "made-of-a-secret" };

const masked = (value: unknown): unknown => {
  const hidden = hiddenKind(value);
  if (hidden !== undefined) return masks[hidden];
  if (Array.isArray(value)) return value.map(masked);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, masked(inner)]));
};

type Objects = ReadonlyMap<string, Change["after"]>;

/** A component and its objects, edited from some arguments to others; undefined where it is not there. */
export function edited(
  kind: string,
  name: string,
  before: Change["before"],
  after: Change["after"],
): Change[] {
  const type = `drawbridge:index:${kind}`;
  const urn = `urn:pulumi:stack::project::${type}::${name}`;
  const objects = (args: Change["after"]): Objects => {
    const made = args === undefined ? undefined : generatedOf(urn, args);
    if (typeof made === "string") throw new Error(made);
    return new Map(
      [...(made?.objects ?? [])].map(([own, { manifest }]) => [own, masked(manifest) as Change["after"]]),
    );
  };
  const [was, is] = [objects(before), objects(after)];
  const step = (of: string, old: Change["before"], next: Change["after"], isCustom: boolean): Change => ({
    op:
      old === undefined
        ? "create"
        : next === undefined
          ? "delete"
          : JSON.stringify(old) === JSON.stringify(next)
            ? "same"
            : "update",
    urn: of,
    type: of.split("::")[2]?.split("$").at(-1) ?? "",
    name: of.split("::").at(-1) ?? "",
    parent: isCustom ? urn : undefined,
    component: isCustom ? { type, name } : undefined,
    before: old,
    after: next,
    isCustom,
    retained: /-(home|persist|claim)$/.test(of),
    differing: [],
  });
  return [
    step(urn, before, after, false),
    ...[...new Set([...was.keys(), ...is.keys()])].map((own) => step(own, was.get(own), is.get(own), true)),
  ];
}
