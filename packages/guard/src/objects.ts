/** Kubernetes objects as a preview's changes describe them: one pair of before and after for each resource. */
import type { Change } from "./change.ts";
import { at, type Inputs, mapAt } from "./values.ts";

/** One object, before and after the change; undefined where it is not there. */
export interface ObjectPair {
  readonly urn: string;
  /** API group and kind, `apps/StatefulSet`; the core group is `core`. Undefined for what is no Kubernetes object. */
  readonly groupKind: string | undefined;
  readonly kind: string;
  /** The resource's type token. */
  readonly type: string;
  /** Physical name and namespace; the logical name where the physical one is not known. */
  readonly name: string;
  readonly namespace: string;
  readonly before: Inputs | undefined;
  readonly after: Inputs | undefined;
  readonly component: Change["component"];
  readonly isCustom: boolean;
  /** Whether it was there, and Pulumi takes it over. */
  readonly isImported: boolean;
}

const goesAway = new Set(["delete", "discard", "delete-replaced", "discard-replaced"]);
const comes = new Set(["create", "import"]);

/** Reading another's object changes nothing of it. */
const reads = new Set(["read", "read-replacement", "discard", "discard-replaced"]);

/** Steps of one resource come together; one that gets another name or namespace is two objects. */
export function objectPairs(changes: readonly Change[]): ObjectPair[] {
  const changed = changes.filter(({ op }) => !reads.has(op));
  return [...Map.groupBy(changed, ({ urn }) => urn).values()].map(toPair).flatMap(apart);
}

function apart(pair: ObjectPair): ObjectPair[] {
  const { before, after, groupKind } = pair;
  const place = (inputs: Inputs | undefined) => {
    const { name, namespace } = mapAt(inputs, "metadata");
    return { name: text(name) ?? pair.name, namespace: text(namespace) ?? "" };
  };
  const [was, is] = [place(before), place(after)];
  const isMoved = was.name !== is.name || was.namespace !== is.namespace;
  if (groupKind === undefined || before === undefined || after === undefined || !isMoved) return [pair];
  return [
    { ...pair, ...was, after: undefined },
    { ...pair, ...is, before: undefined },
  ];
}

function toPair(steps: readonly Change[]): ObjectPair {
  const first = steps[0] as Change;
  const before = steps.find((step) => !comes.has(step.op) && step.before !== undefined)?.before;
  const last = steps.filter((step) => step.op !== "delete-replaced" && step.op !== "discard-replaced").at(-1);
  // What Pulumi only forgets stays in the cluster as it is.
  const after =
    last === undefined || goesAway.has(last.op) ? (first.retained ? before : undefined) : last.after;
  const metadata = at(after ?? before, "metadata");
  const [, group, kind] = /^kubernetes:([^:/]+)\/[^:/]+:([^:/]+)$/.exec(first.type) ?? [];
  return {
    urn: first.urn,
    groupKind: group === undefined ? undefined : `${group}/${kind}`,
    kind: kind ?? first.type,
    type: first.type,
    name: text(at(metadata, "name")) ?? first.name,
    namespace: text(at(metadata, "namespace")) ?? "",
    before,
    after,
    component: first.component,
    isCustom: first.isCustom,
    isImported: steps.some(({ op }) => op.startsWith("import")),
  };
}

const text = (value: unknown) => (typeof value === "string" ? value : undefined);

/** How findings and acceptances name an object: `NetworkPolicy team-a/dev1`. */
export function objectTitle({ kind, namespace, name }: ObjectPair): string {
  return `${kind.split(":").at(-1)} ${namespace === "" ? name : `${namespace}/${name}`}`;
}

/** The pod template among the inputs of each kind of workload. */
export function templateOf(inputs: unknown, kind: string): unknown {
  if (kind === "Pod") return inputs;
  if (kind === "CronJob") return at(inputs, "spec", "jobTemplate", "spec", "template");
  return at(inputs, "spec", kind === "Sandbox" ? "podTemplate" : "template");
}

// Where a name of an object in the same namespace stands: all of a pod's fields, a claim's and an autoscaler's that have one.
const kindsByKey: Readonly<Record<string, string>> = {
  secretName: "core/Secret",
  secret: "core/Secret",
  secretRef: "core/Secret",
  secretKeyRef: "core/Secret",
  nodePublishSecretRef: "core/Secret",
  imagePullSecrets: "core/Secret",
  configMap: "core/ConfigMap",
  configMapRef: "core/ConfigMap",
  configMapKeyRef: "core/ConfigMap",
  claimName: "core/PersistentVolumeClaim",
  serviceAccountName: "core/ServiceAccount",
  serviceAccount: "core/ServiceAccount",
  resourceClaimName: "resource.k8s.io/ResourceClaim",
  resourceClaimTemplateName: "resource.k8s.io/ResourceClaimTemplate",
};

/** Maps of words that the author chooses, among which any of the keys above may be. */
const words = /^(metadata|data|stringData|binaryData|matchLabels|selector|nodeSelector|limits|requests)$/;

/** An autoscaler decides how many pods run. */
const scaled = (target: unknown) =>
  `${String(at(target, "apiVersion")).split("/")[0]}/${String(at(target, "kind"))}`;

/** The objects, `core/Secret team-a/dev1-host-key`, to which it refers by name. */
export function references(value: unknown, namespace: string): string[] {
  if (typeof value !== "object" || value === null) return [];
  const found = Object.entries(value).flatMap(([key, inner]) => {
    if (words.test(key)) return [];
    const kind = key === "scaleTargetRef" ? scaled(inner) : kindsByKey[key];
    const named = kind === undefined ? [] : Array.isArray(inner) ? inner : [inner];
    const titles = named
      .map((one) => (typeof one === "string" ? one : at(one, "name")))
      .filter((name) => typeof name === "string")
      .map((name) => `${kind} ${namespace}/${name}`);
    return [...titles, ...references(inner, namespace)];
  });
  return [...new Set(found)];
}

/** What every namespace has by itself. */
const everywhere =
  /^core\/(ServiceAccount [^/]+\/default|ConfigMap [^/]+\/(kube-root-ca\.crt|istio-ca-root-cert))$/;

/** Titles of what it refers to, and the preview does not show. */
export const unshown = (value: unknown, namespace: string, shown: ReadonlySet<string>) =>
  references(value, namespace).filter((title) => !shown.has(title) && !everywhere.test(title));
