/** Roles and bindings: rights over the Kubernetes API. */
import { at } from "../finding.ts";
import { type Inputs, listAt, mapAt, type ObjectPair } from "../objects.ts";
import type { AccessContext } from "./context.ts";
import { crosses, type Effect, gains, loses, setEffects, unknown } from "./effect.ts";

/** One verb on one kind of resource, and on which of them. */
interface Right {
  readonly verb: string;
  readonly resource: string;
  readonly name: string;
}

/** Kubernetes' own cluster roles without rights beyond the namespace or over isolation. */
const plainRoles = ["view", "edit"];

// These rights lead out of the namespace, or to the rights of others.
const reaching: readonly { readonly resource: RegExp; readonly verb: RegExp; readonly why: string }[] = [
  { resource: /(^|\/)\*$|^\*/, verb: /./, why: "a wildcard covers what nobody has thought of" },
  { resource: /./, verb: /^\*$/, why: "a wildcard covers what nobody has thought of" },
  { resource: /./, verb: /^(escalate|bind|impersonate)$/, why: "it gives rights of others" },
  { resource: /^core\/serviceaccounts\/token$/, verb: /./, why: "it makes tokens of other accounts" },
  {
    resource: /^(core\/endpoints|discovery\.k8s\.io\/endpointslices)$/,
    verb: /^(create|update|patch)$/,
    why: "a route could lead anywhere",
  },
  { resource: /\/status$/, verb: /^(create|update|patch)$/, why: "a forged status becomes an endpoint" },
  {
    resource: /^core\/(nodes|persistentvolumes|namespaces)(\/|$)/,
    verb: /^(?!get|list|watch)/,
    why: "it belongs to the whole cluster",
  },
  { resource: /^core\/nodes\//, verb: /./, why: "it belongs to the whole cluster" },
  { resource: /^certificates\.k8s\.io\//, verb: /./, why: "it makes identities" },
  { resource: /^admissionregistration\.k8s\.io\//, verb: /^(?!get|list|watch)/, why: "it takes walls down" },
];

export function roleEffects({ kind, namespace, before, after }: ObjectPair): Effect[] {
  const [was, is] = [rightsOf(before), rightsOf(after)];
  const holder = "its holders may";
  const gained = is.filter((right) => !was.some((one) => grants(one, right)));
  const lost = was.filter((right) => !is.some((one) => grants(one, right)));
  const isWide = kind === "ClusterRole";
  return [
    ...group(gained).map(({ text, why }) => {
      if (why !== undefined) return crosses("cluster-rights", `${holder} ${text}: ${why}`);
      return isWide
        ? crosses("cluster-rights", `${holder} ${text} in the whole cluster`)
        : gains(`${holder} ${text} in namespace ${namespace}`);
    }),
    ...group(lost).map(({ text }) => loses(`its holders may no longer ${text}`)),
  ];
}

function rightsOf(inputs: Inputs | undefined): Right[] {
  return listAt(inputs, "rules").flatMap((rule) => {
    const verbs = listAt(rule, "verbs").map(String);
    const names = listAt(rule, "resourceNames").map(String);
    const groups = listAt(rule, "apiGroups").map((group) => (group === "" ? "core" : String(group)));
    const resources = [
      ...groups.flatMap((group) => listAt(rule, "resources").map((resource) => `${group}/${resource}`)),
      ...listAt(rule, "nonResourceURLs").map(String),
    ];
    return resources.flatMap((resource) =>
      verbs.flatMap((verb) => (names.length === 0 ? [""] : names).map((name) => ({ verb, resource, name }))),
    );
  });
}

function grants(wide: Right, narrow: Right): boolean {
  const isSame = (a: string, b: string) => a === "*" || a === b;
  const [wideGroup = "", ...wideKind] = wide.resource.split("/");
  const [group = "", ...kind] = narrow.resource.split("/");
  return (
    isSame(wide.verb, narrow.verb) &&
    (wide.name === "" || wide.name === narrow.name) &&
    isSame(wideGroup, group) &&
    isSame(wideKind.join("/"), kind.join("/"))
  );
}

/** Verbs of one resource in one line. */
function group(rights: readonly Right[]): { text: string; why: string | undefined }[] {
  const lines = new Map<
    string,
    { verbs: string[]; resource: string; name: string; why: string | undefined }
  >();
  for (const { verb, resource, name } of rights) {
    // Binding one of these plain roles gives no more than it holds.
    const isPlain = resource.endsWith("/clusterroles") && verb === "bind" && plainRoles.includes(name);
    const why = isPlain
      ? undefined
      : reaching.find((one) => one.resource.test(resource) && one.verb.test(verb))?.why;
    const key = `${resource} ${name} ${why}`;
    const line = lines.get(key) ?? { verbs: [], resource, name, why };
    lines.set(key, { ...line, verbs: [...line.verbs, verb] });
  }
  return [...lines.values()].map(({ verbs, resource, name, why }) => ({
    text: `${verbs.join(", ")} ${resource.replace(/^core\//, "")}${name === "" ? "" : ` ${name}`}`,
    why,
  }));
}

const everyoneGroups =
  /^(system:(authenticated|unauthenticated|serviceaccounts|masters|nodes|anonymous)|system:serviceaccounts:.*|system:kube-.*)$/;
export function bindingEffects(pair: ObjectPair, context: AccessContext): Effect[] {
  const { before, after } = pair;
  const [was, is] = [roleOf(before), roleOf(after)];
  const isOtherRole = was !== undefined && is !== undefined && was !== is;
  const known = isOtherRole ? [] : subjectsOf(before);
  // A value from a resource that does not exist yet may be missing instead of masked.
  const nameless = listAt(after, "subjects").filter((subject) => typeof at(subject, "name") !== "string");
  return [
    ...nameless.map(() => unknown("unknown-value", "the name of a subject is not known before `pulumi up`")),
    ...setEffects(
      known,
      subjectsOf(after),
      (subject) => gained(subject, pair, isOtherRole || was === undefined, context),
      (subject) => loses(`${subject} no longer has ${was}`),
    ),
  ];
}

function roleOf(inputs: Inputs | undefined): string | undefined {
  if (inputs === undefined) return undefined;
  return `${at(inputs, "roleRef", "kind")} ${at(inputs, "roleRef", "name")}`;
}

function subjectsOf(inputs: Inputs | undefined): string[] {
  return listAt(inputs, "subjects").map((subject) => {
    const { kind, name, namespace } = mapAt(subject);
    return namespace === undefined ? `${kind} ${name}` : `${kind} ${namespace}/${name}`;
  });
}

function gained(subject: string, pair: ObjectPair, isNewRole: boolean, { pairs }: AccessContext): Effect {
  const { kind, namespace, after } = pair;
  const role = roleOf(after);
  const text = `${subject} gains ${role}`;
  const wall = (why: string) => crosses("cluster-rights", `${text}: ${why}`);
  if (kind === "ClusterRoleBinding") return wall("in the whole cluster");
  const [subjectKind, name = ""] = subject.split(/ (.*)/s);
  if (everyoneGroups.test(name)) return wall("that is not one person or team");
  const roleKind = at(after, "roleRef", "kind");
  const roleName = String(at(after, "roleRef", "name"));
  const visible = pairs.find(
    (one) =>
      one.kind === roleKind &&
      one.name === roleName &&
      (roleKind === "ClusterRole" || one.namespace === namespace),
  );
  if (subjectKind === "ServiceAccount" && !name.startsWith(`${namespace}/`)) {
    const isGrant = visible !== undefined && isFrpGrant(visible, pairs);
    return isGrant ? gains(text) : wall("the account belongs to another namespace");
  }
  if (roleKind === "ClusterRole" && (roleName === "cluster-admin" || roleName === "admin"))
    return wall("it may take down the namespace's walls");
  const isPlain = roleKind === "ClusterRole" && plainRoles.includes(roleName);
  // One more subject of an existing binding is everyday work; another role, or a new binding, is shown.
  return visible === undefined && !isPlain && isNewRole
    ? unknown("unknown-value", `${text}, whose rules are not in this preview`)
    : gains(text);
}

/** Lets one account read the grant of one container, in which nothing is secret: frp's authorizer asks for it. */
function isFrpGrant({ after, namespace }: ObjectPair, pairs: readonly ObjectPair[]): boolean {
  const [rule, ...rest] = listAt(after, "rules");
  const names = listAt(rule, "resourceNames");
  const isReading =
    rest.length === 0 &&
    JSON.stringify(at(rule, "verbs")) === '["get"]' &&
    JSON.stringify(at(rule, "resources")) === '["configmaps"]' &&
    names.length > 0;
  const isGrant = (one: ObjectPair) =>
    one.kind === "ConfigMap" &&
    one.namespace === namespace &&
    Object.keys(mapAt(one.after, "data")).every((key) => ["tokenSha256", "clientDomain"].includes(key));
  return isReading && names.every((name) => pairs.some((one) => isGrant(one) && one.name === name));
}
