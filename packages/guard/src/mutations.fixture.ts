/** Previews in which one place is otherwise than the components made it: a leaf, an option, a whole object. */

import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { judge } from "./guard.ts";
import { readWholePreview } from "./preview.ts";
import { today } from "./sample.fixture.ts";
import { at, secretText, unknownText } from "./values.ts";

type Tree = Readonly<Record<string, unknown>>;
const isTree = (value: unknown): value is Tree => typeof value === "object" && value !== null;

/** A resource as a digest holds it. */
export interface State {
  readonly urn: string;
  readonly type: string;
  readonly custom: boolean;
  readonly parent?: string;
  readonly inputs?: Tree;
  readonly retainOnDelete?: boolean;
}
export interface Step {
  readonly op: string;
  readonly urn: string;
  readonly oldState?: State;
  readonly newState?: State;
}
/** A component, and then its objects. */
export type Family = readonly [component: Step, ...objects: Step[]];

export const familiesOf = (steps: readonly Step[]): Family[] =>
  steps
    .filter(({ newState }) => newState?.type.startsWith("drawbridge:index:"))
    .map((component) => [
      component,
      ...steps.filter(({ newState, oldState }) => (newState ?? oldState)?.parent === component.urn),
    ]);

/** What Pulumi would do to come from some states to others. */
export function stepsBetween(before: readonly State[], after: readonly State[]): Step[] {
  const [was, is] = [before, after].map((all) => new Map(all.map((state) => [state.urn, state])));
  return [...new Set([...before, ...after].map(({ urn }) => urn))].map((urn) => {
    const [oldState, newState] = [was?.get(urn), is?.get(urn)];
    const isSame = JSON.stringify(oldState) === JSON.stringify(newState);
    const op =
      oldState === undefined ? "create" : newState === undefined ? "delete" : isSame ? "same" : "update";
    return { op, urn, ...(oldState && { oldState }), ...(newState && { newState }) };
  });
}

/** Another value in the place of one that is there. */
const values: Readonly<Record<string, (value: unknown) => unknown>> = {
  removed: () => undefined,
  hidden: () => secretText,
  unknown: () => unknownText,
  other: () => "other",
  nothing: () => null,
  empty: (value) => (Array.isArray(value) ? [] : isTree(value) ? {} : ""),
  near: (value) => {
    if (typeof value === "boolean") return !value;
    if (typeof value === "number") return value + 1;
    if (Array.isArray(value)) return [...value, ...value.slice(0, 1)];
    return isTree(value) ? { ...value, other: "other" } : `${value}x`;
  },
};

/** Every place below a value, by its path. */
function places(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  const below = isTree(value)
    ? Object.entries(value).flatMap(([key, one]) => places(one, [...path, key]))
    : [];
  return path.length === 0 ? below : [path, ...below];
}

function replaced(
  value: unknown,
  [key, ...rest]: readonly string[],
  by: (value: unknown) => unknown,
): unknown {
  if (key === undefined) return by(value);
  const entries = Object.entries(value as Tree)
    .map(([name, inner]) => [name, name === key ? replaced(inner, rest, by) : inner])
    .filter(([, inner]) => inner !== undefined);
  return Array.isArray(value) ? entries.map(([, inner]) => inner) : Object.fromEntries(entries);
}

/** Options of an object, each with another value than components give it. */
const options = ({ urn, retainOnDelete = false, custom }: State): Readonly<Record<string, unknown>> => ({
  retainOnDelete: !retainOnDelete,
  deletedWith: `${urn}-other`,
  ignoreChanges: ["spec", "data", "metadata"],
  provider: "urn:pulumi:stack::project::pulumi:providers:kubernetes::another::id",
  custom: !custom,
  protect: true,
  aliases: [`${urn}-before`],
  dependencies: [],
  propertyDependencies: {},
  customTimeouts: { create: 1 },
  additionalSecretOutputs: ["spec"],
  replaceOnChanges: ["spec"],
  hideDiff: ["spec"],
  refreshBeforeUpdate: true,
});

const another = ({ newState, oldState: _, ...step }: Step, urn: string, type?: string): Step => ({
  ...step,
  op: "create",
  urn,
  ...(newState && { newState: { ...newState, urn, type: type ?? newState.type } }),
});
const otherType = "kubernetes:core/v1:Pod";

/** An object otherwise as a whole; undefined where it is left out. */
const wholes: Readonly<Record<string, (step: Step) => Step | undefined>> = {
  "is left out": ({ newState: _, ...step }) => (step.oldState ? { ...step, op: "delete" } : undefined),
  "is read": (step) => ({ ...step, op: "read" }),
  "has another name": (step) => another(step, `${step.urn}-other`),
  "is of another kind": (step) => another(step, step.urn.replace(/\$[^$]*::/, `$${otherType}::`), otherType),
};

interface Mutation {
  readonly family: Family;
  readonly mutant: Family;
  /** `NetworkPolicy spec.ingress removed` */
  readonly title: string;
  readonly isEqual: boolean;
}

const what = fc.oneof(
  { weight: 12, arbitrary: fc.record({ place: fc.nat(), value: fc.constantFrom(...Object.keys(values)) }) },
  { weight: 3, arbitrary: fc.record({ option: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ whole: fc.constantFrom(...Object.keys(wholes)) }) },
);
type What = typeof what extends fc.Arbitrary<infer T> ? T : never;

export const mutation = (families: readonly Family[]): fc.Arbitrary<Mutation> =>
  fc.record({ family: fc.constantFrom(...families), member: fc.nat(), what }).map((one) => {
    const { family } = one;
    const isThere = family.filter(({ newState }) => newState !== undefined);
    const step = isThere[one.member % isThere.length] as Step;
    const [other, said] = otherwise(step, step.newState as State, one.what);
    const [component, ...objects] = family;
    return {
      family,
      mutant: [
        step === component && other ? other : component,
        ...objects.flatMap((object) => (object === step ? (other ?? []) : [object])),
      ],
      title: `${step.newState?.type.split(":").at(-1)} ${said}${isFirst(step, said, isThere) ? " of a first object" : ""}`,
      isEqual: JSON.stringify(step) === JSON.stringify(other),
    };
  });

/** Whether the only object of a component is new and has another provider. @param all of the family, the component too */
const isFirst = ({ op }: Step, said: string, all: readonly Step[]) =>
  said === "option provider" && op === "create" && all.length === 2;

function otherwise(step: Step, state: State, what: What): [Step | undefined, string] {
  // A component is its inputs. One that is left out, or is no component, is another program.
  if ("whole" in what) return state.custom ? [wholes[what.whole]?.(step), what.whole] : [step, "stays"];
  if ("option" in what) {
    const all = Object.entries(options(state));
    const [name = "", value] = all[what.option % all.length] ?? [];
    return [state.custom ? { ...step, newState: { ...state, [name]: value } } : step, `option ${name}`];
  }
  const all = places(state.inputs);
  const place = all[what.place % all.length] ?? [];
  const by = values[what.value] as (value: unknown) => unknown;
  const inputs = replaced(state.inputs, place, by) as Tree;
  // What an upgrade would change, and stays as the state has it, is no news either.
  const [was, is, had] = [state.inputs, inputs, step.oldState?.inputs].map((one) => at(one, ...place));
  const isEqual = isDeepStrictEqual(is, was) || (step.op === "update" && isDeepStrictEqual(is, had));
  const op = step.op === "same" ? "update" : step.op;
  return [
    isEqual ? step : { ...step, op, newState: { ...state, inputs } },
    `${place.join(".")} ${what.value}`,
  ];
}

const others = ["one", "two"].map((name): Step => {
  const state = { urn: `urn:pulumi:stack::project::other::${name}`, type: "other", custom: false };
  return { op: "same", urn: state.urn, oldState: state, newState: state };
});

/** What the guard stops in a preview of the family, in a stack that has more. */
export function stopped(family: Family): string[] {
  const steps = [...family, ...others];
  const changeSummary: Record<string, number> = {};
  for (const { op } of steps) changeSummary[op] = (changeSummary[op] ?? 0) + 1;
  const preview = readWholePreview(JSON.stringify({ steps, changeSummary }));
  const { refused, unjudged, failures } = judge(preview, [], today);
  return [...refused, ...unjudged, ...failures].map((one) => JSON.stringify(one));
}

/** Where a mutation may pass, and why. */
export const harmless: readonly (readonly [at: RegExp, why: string])[] = [
  [
    /^(CertManager|DevContainer|FrpServer|InjectedSshd|SshGateway|SshRoute|StorageAccessor|StorageProxy|Team|TeamMembers|TeamPolicies) \S+ \w+$/,
    "only the component says so, and its objects are what they were",
  ],
  [/^Secret data (hidden|unknown)$/, "the data of a Secret is hidden as a whole"],
  [
    /\.drawbridge\.dev\/(public-keys|host-keys|secret-env|credentials|frpc)( \w+)?$|tokenSha256|frps-certificate/,
    "made of a secret that is new: a hash, or a public key",
  ],
  [
    / option (protect|replaceOnChanges|refreshBeforeUpdate|customTimeouts)$/,
    "decides on later operations, which are judged then",
  ],
  [/ option (hideDiff|additionalSecretOutputs|propertyDependencies)$/, "decides on what Pulumi shows"],
  [/ option provider of a first object$/, "the component's provider, which the author chooses"],
  [/ option aliases$/, "an old name is in the step that takes it over"],
  [/ option dependencies$/, "decides on the order of one update"],
  [/^(PersistentVolumeClaim|Namespace) option deletedWith$/, "it is kept anyway"],
];

/** How the guard took many mutations. */
export interface Outcome {
  /** Those that the guard stopped, that passed as harmless, and that changed nothing. */
  readonly counts: Readonly<Record<"stopped" | "harmless" | "equal", number>>;
  /** What passed and is not known to be harmless. */
  readonly survivors: readonly string[];
}

export function tryMutations(families: readonly Family[], runs: number, seed: number): Outcome {
  const known = new Map<Family, ReadonlySet<string>>();
  const counts = { stopped: 0, harmless: 0, equal: 0 };
  const survivors = new Set<string>();
  for (const { family, mutant, title, isEqual } of fc.sample(mutation(families), { numRuns: runs, seed })) {
    const before = known.get(family) ?? new Set(stopped(family));
    known.set(family, before);
    if (isEqual) counts.equal++;
    else if (stopped(mutant).some((finding) => !before.has(finding))) counts.stopped++;
    else if (harmless.some(([at]) => at.test(title))) counts.harmless++;
    else survivors.add(`${family[0].op} ${family[0].urn.split("::").at(-1)}: ${title}`);
  }
  return { counts, survivors: [...survivors] };
}
