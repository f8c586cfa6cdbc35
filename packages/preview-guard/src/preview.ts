/** Reads what `pulumi preview --json` printed: one digest, or one event a line when streamed. */
import { z } from "zod";

const stateSchema = z.looseObject({
  type: z.string(),
  urn: z.string(),
  parent: z.string().optional(),
  inputs: z.record(z.string(), z.unknown()).default({}),
  retainOnDelete: z.boolean().optional(),
});

const stepSchema = z.looseObject({
  op: z.string(),
  urn: z.string(),
  oldState: stateSchema.nullish(),
  newState: stateSchema.nullish(),
  detailedDiff: z.record(z.string(), z.unknown()).nullish(),
  replaceReasons: z.array(z.string()).nullish(),
});

const digestSchema = z.looseObject({ steps: z.array(stepSchema) });

// In a stream each resource's step comes as the metadata of an event.
const eventSchema = z.looseObject({
  resourcePreEvent: z
    .looseObject({
      metadata: z.looseObject({
        op: z.string(),
        urn: z.string(),
        old: stateSchema.nullish(),
        new: stateSchema.nullish(),
        detailedDiff: z.record(z.string(), z.unknown()).nullish(),
        keys: z.array(z.string()).nullish(),
      }),
    })
    .optional(),
});

type State = z.output<typeof stateSchema>;
type Step = z.output<typeof stepSchema>;

/** What a preview says will happen to one resource. */
export interface Change {
  /** Pulumi's word: create, update, delete, replace, create-replacement, delete-replaced, same, read, … */
  readonly op: string;
  readonly urn: string;
  /** The resource's type token, such as `kubernetes:core/v1:Secret`. */
  readonly type: string;
  /** Its logical name. */
  readonly name: string;
  /** Type and logical name of the component it belongs to, or undefined at the top of the stack. */
  readonly component: { readonly type: string; readonly name: string } | undefined;
  /** Whether what it belongs to, the component or else the stack, is made in the same preview. */
  readonly isOwnerNew: boolean;
  readonly before: Readonly<Record<string, unknown>> | undefined;
  readonly after: Readonly<Record<string, unknown>> | undefined;
  /** Whether the object stays in the cluster when Pulumi forgets it. */
  readonly retained: boolean;
  /** Paths that differ, as the provider reports them. */
  readonly differing: readonly string[];
}

const stackType = "pulumi:pulumi:Stack";

/** Thrown for input that is no preview; the command then ends with code 2. */
export class UnreadablePreview extends Error {}

/** The changes of a preview. Throws UnreadablePreview for anything else, the empty text included. */
export function readPreview(text: string): Change[] {
  if (text.trim() === "")
    throw new UnreadablePreview("the preview is empty; did `pulumi preview --json` fail?");
  const digest = parseJson(text);
  if (digest !== undefined) {
    const parsed = digestSchema.safeParse(digest);
    if (parsed.success) return toChanges(parsed.data.steps);
    const events = eventSchema.safeParse(digest);
    if (!events.success || events.data.resourcePreEvent === undefined) {
      throw new UnreadablePreview('the JSON has no "steps"; give the output of `pulumi preview --json`');
    }
  }
  return readStream(text);
}

function readStream(text: string): Change[] {
  const steps: Step[] = [];
  for (const [index, line] of text.split("\n").entries()) {
    if (line.trim() === "") continue;
    const json = parseJson(line);
    if (json === undefined)
      throw new UnreadablePreview(`line ${index + 1} is not JSON: ${line.slice(0, 60)}`);
    const event = eventSchema.safeParse(json);
    if (!event.success) throw new UnreadablePreview(`line ${index + 1} is no event of a Pulumi preview`);
    const metadata = event.data.resourcePreEvent?.metadata;
    if (metadata === undefined) continue;
    const { op, urn, old, new: next, detailedDiff } = metadata;
    steps.push({ op, urn, oldState: old, newState: next, detailedDiff });
  }
  if (steps.length === 0)
    throw new UnreadablePreview("the events name no resource; was the preview cut short?");
  return toChanges(steps);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function toChanges(steps: readonly Step[]): Change[] {
  const made = steps.filter(({ op }) => op === "create").map(({ urn }) => urn);
  // A digest leaves out the parent of what stands at the top of the stack.
  const stack = made.find((urn) => urnType(urn) === stackType) ?? "";
  const isNew = new Set(made);
  return steps.map((step) => toChange(step, (owner) => isNew.has(owner || stack)));
}

function toChange(step: Step, isNew: (owner: string | undefined) => boolean): Change {
  const state: State | null | undefined = step.newState ?? step.oldState;
  return {
    op: step.op,
    urn: step.urn,
    type: state?.type ?? urnType(step.urn),
    name: urnName(step.urn),
    component: componentOf(state?.parent),
    isOwnerNew: isNew(state?.parent),
    before: step.oldState?.inputs,
    after: step.newState?.inputs,
    retained: step.oldState?.retainOnDelete ?? false,
    differing: Object.keys(step.detailedDiff ?? {}),
  };
}

function componentOf(parent: string | undefined): Change["component"] {
  // A digest leaves out the parent of the stack itself, a stream of events has it empty.
  if (parent === undefined || parent === "") return undefined;
  const type = urnType(parent);
  return type === stackType ? undefined : { type, name: urnName(parent) };
}

/** `urn:pulumi:<stack>::<project>::<parent type>$<type>::<name>` */
function urnType(urn: string): string {
  return urn.split("::")[2]?.split("$").at(-1) ?? "";
}

function urnName(urn: string): string {
  return urn.split("::").slice(3).join("::");
}
