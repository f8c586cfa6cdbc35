/** A step of a preview as Pulumi writes it, and what it means for its resource. */
import { classOf, tokenOf } from "@drawbridge-iac/drawbridge/src/kit/type-token";
import { z } from "zod";

/** A resource's state, as far as it is read. */
export interface State {
  readonly type: string;
  readonly urn: string;
  readonly id?: string | null | undefined;
  readonly parent?: string | undefined;
  readonly custom?: boolean | undefined;
  readonly inputs: Record<string, unknown>;
  readonly retainOnDelete?: boolean | undefined;
  readonly deletedWith?: string | null | undefined;
  readonly provider?: string | undefined;
  /** URNs of the resources that each property comes from. A stream of events leaves them out. */
  readonly propertyDependencies?: Record<string, string[] | null | undefined> | null | undefined;
  readonly ignoreChanges?: string[] | null | undefined;
}

export interface Step {
  readonly op: string;
  readonly urn: string;
  readonly oldState?: State | null | undefined;
  readonly newState?: State | null | undefined;
  readonly detailedDiff?: Record<string, unknown> | null | undefined;
  readonly replaceReasons?: string[] | null | undefined;
}

export const stateSchema: z.ZodType<State> = z.looseObject({
  type: z.string(),
  urn: z.string(),
  id: z.string().nullish(),
  parent: z.string().optional(),
  custom: z.boolean().optional(),
  inputs: z.record(z.string(), z.unknown()).default({}),
  retainOnDelete: z.boolean().optional(),
  deletedWith: z.string().nullish(),
  provider: z.string().optional(),
  propertyDependencies: z.record(z.string(), z.array(z.string()).nullish()).nullish(),
  ignoreChanges: z.array(z.string()).nullish(),
});

export const stepSchema: z.ZodType<Step> = z.looseObject({
  op: z.string(),
  urn: z.string(),
  oldState: stateSchema.nullish(),
  newState: stateSchema.nullish(),
  detailedDiff: z.record(z.string(), z.unknown()).nullish(),
  replaceReasons: z.array(z.string()).nullish(),
});

/** What a preview says will happen to one resource. */
export interface Change {
  /** Pulumi's word: create, update, delete, replace, create-replacement, delete-replaced, same, read, … */
  readonly op: string;
  readonly urn: string;
  /** The resource's type token, such as `kubernetes:core/v1:Secret`. */
  readonly type: string;
  /** Its logical name. */
  readonly name: string;
  /** URN of what it belongs to. */
  readonly parent?: string | undefined;
  /** Type and logical name of the component it belongs to, or undefined at the top of the stack. */
  readonly component: { readonly type: string; readonly name: string } | undefined;
  /** The type of what it takes over by an alias, if that is another. */
  readonly formerType?: string;
  /** The logical name of what it takes over by an alias, if that is another. */
  readonly formerName?: string;
  readonly before: Readonly<Record<string, unknown>> | undefined;
  readonly after: Readonly<Record<string, unknown>> | undefined;
  /** False for a component, which groups resources and is nothing itself. */
  readonly isCustom: boolean;
  /** Whether the object stays in the cluster when Pulumi forgets it. */
  readonly retained: boolean;
  /** Options of the new state. */
  readonly options?: {
    /** Whether it stays in the cluster from now on. */
    readonly kept: boolean;
    /** Whether Pulumi would leave it in the cluster from now on, where it would have deleted it. */
    readonly isLeft?: boolean;
    /** Fields whose changes are ignored, and were not before. */
    readonly ignoreChanges: readonly string[];
  };
  /** Before and after: by which id its provider knows it. Of what is read a preview shows nothing else. */
  readonly ids?: readonly [was: string | undefined, is: string | undefined];
  /** Before and after: the URN of its provider, as it stands there. */
  readonly providers?: readonly [was: string | undefined, is: string | undefined];
  /** Before and after: URNs of the resources that each property comes from. */
  readonly sources?: readonly [was: State["propertyDependencies"], is: State["propertyDependencies"]];
  /** Its provider, without id and version. */
  readonly provider?: string | undefined;
  /** Whether another provider has it than before. */
  readonly isProviderChanged?: boolean;
  /** Paths that differ, as the provider reports them. */
  readonly differing: readonly string[];
}

const stackType = "pulumi:pulumi:Stack";

export function toChange(step: Step): Change {
  const state: State | null | undefined = step.newState ?? step.oldState;
  const formerType = step.oldState?.type;
  const formerName = urnName(step.oldState?.urn ?? step.urn);
  const name = urnName(step.urn);
  const [had, has] = [step.oldState, step.newState].map((one) => providerOf(one?.provider));
  return {
    op: step.op,
    urn: step.urn,
    type: state?.type ?? urnType(step.urn),
    name,
    parent: state?.parent,
    component: componentOf(state?.parent),
    ...(formerType !== undefined && formerType !== state?.type && { formerType }),
    ...(formerName !== name && { formerName }),
    before: step.oldState?.inputs,
    after: step.newState?.inputs,
    isCustom: state?.custom ?? true,
    retained: step.oldState?.retainOnDelete ?? false,
    options: {
      kept: step.newState?.retainOnDelete ?? false,
      isLeft: isLeft(step.newState) && !isLeft(step.oldState),
      ignoreChanges: (step.newState?.ignoreChanges ?? []).filter(
        (field) => step.oldState?.ignoreChanges?.includes(field) !== true,
      ),
    },
    ids: [step.oldState?.id ?? undefined, step.newState?.id ?? undefined],
    providers: [withoutId(step.oldState?.provider), withoutId(step.newState?.provider)],
    sources: [step.oldState?.propertyDependencies, step.newState?.propertyDependencies],
    provider: has,
    isProviderChanged: had !== undefined && has !== undefined && had !== has,
    differing: Object.keys(step.detailedDiff ?? {}),
  };
}

/** Whether it is the name of a default provider, which has the provider's version. */
export const isDefaultProvider = (name: string) => /^default_\d+_\d+_\d+$/.test(name);

/** Without the id at the end, which is not known of a new provider. An event has an empty text where there is none. */
const withoutId = (reference: string | undefined) =>
  reference?.slice(0, reference.lastIndexOf("::")) || undefined;

/** Without its id, and without the version in the name of a default one. */
function providerOf(reference: string | undefined): string | undefined {
  const urn = withoutId(reference);
  if (urn === undefined || !isDefaultProvider(urnName(urn))) return urn;
  return `${urn.slice(0, urn.lastIndexOf("::"))}::default`;
}

/** What goes with another resource is not deleted by itself. */
const isLeft = (state: State | null | undefined) =>
  state?.retainOnDelete === true || (state?.deletedWith ?? "") !== "";

function componentOf(parent: string | undefined): Change["component"] {
  // A digest leaves out the parent of the stack itself, a stream of events has it empty.
  if (parent === undefined || parent === "") return undefined;
  const type = urnType(parent);
  return type === stackType ? undefined : { type, name: urnName(parent) };
}

/** Whether a type is of a component of ours, of this version or another. */
export const isOurs = (type: string): boolean => type.startsWith("drawbridge:index:");

/** `urn:pulumi:<stack>::<project>::<parent type>$<type>::<name>` */
export function urnStack(urn: string): string {
  return urn.split("::")[0]?.split(":").at(-1) ?? "";
}

export function urnType(urn: string): string {
  return urn.split("::")[2]?.split("$").at(-1) ?? "";
}

export function urnName(urn: string): string {
  return urn.split("::").slice(3).join("::");
}

/** Operations that delete or replace an object. */
const ending = new Set(["delete", "replace", "create-replacement", "delete-replaced", "discard-replaced"]);

export function isReplaced(change: Change): boolean {
  return ["replace", "create-replacement", "delete-replaced"].includes(change.op);
}

export function ends(change: Change): boolean {
  return ending.has(change.op);
}

/** `type`'s last part: `kubernetes:core/v1:Secret` is a `Secret`. */
export function kindOf({ type }: Pick<Change, "type">): string {
  return classOf(type);
}

/** Whether it belongs to a component of ours of this kind. */
export function belongsTo({ component }: Pick<Change, "component">, ...kinds: string[]): boolean {
  return kinds.some((kind) => component?.type === tokenOf(kind));
}
