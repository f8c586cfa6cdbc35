/** Reads what `pulumi preview --json` printed: one digest, or one event a line when streamed. */
import { z } from "zod";
import { type Change, type State, type Step, stateSchema, stepSchema, toChange } from "./change.ts";
import {
  type Failure,
  failure,
  failuresOf,
  type PreviewEnd,
  unknownOps,
  versionFailures,
} from "./completeness.ts";
import { showsSecrets, withoutSecrets } from "./shown-secrets.ts";
import { secretText } from "./values.ts";

const diagnosticSchema = z.looseObject({ severity: z.string(), message: z.string() });
const countsSchema = z.record(z.string(), z.number());

// Strict: a part that is new in a later Pulumi might be what a judgement depends on.
const digestSchema = z.strictObject({
  config: z.unknown().optional(),
  steps: z.array(stepSchema),
  diagnostics: z.array(diagnosticSchema).nullish(),
  duration: z.number().nullish(),
  changeSummary: countsSchema.nullish(),
  maybeCorrupt: z.boolean().nullish(),
});

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
  diagnosticEvent: z
    .looseObject({
      severity: z.string(),
      prefix: z.string().default(""),
      message: z.string(),
      ephemeral: z.boolean().nullish(),
    })
    .optional(),
  policyEvent: z
    .looseObject({ message: z.string(), enforcementLevel: z.string(), policyName: z.string().default("") })
    .optional(),
  summaryEvent: z
    .looseObject({
      resourceChanges: countsSchema.nullish(),
      result: z.string().nullish(),
      maybeCorrupt: z.boolean().nullish(),
    })
    .optional(),
});

/** A preview, and why it may not be whole. */
export interface Preview {
  readonly changes: readonly Change[];
  /** Why it cannot be judged; empty for a whole preview. */
  readonly failures: readonly Failure[];
  /** Whether it is a stream of events, which have fewer options than a digest. */
  readonly isOfEvents?: boolean;
}

/** Thrown for input that is no preview; the command then ends with code 2. */
export class UnreadablePreview extends Error {}

/** The changes of a preview. Throws UnreadablePreview for anything else, the empty text included. */
export function readPreview(text: string): readonly Change[] {
  return readWholePreview(text).changes;
}

/** A preview with what failed in it. Throws UnreadablePreview for what is no preview, the empty text included. */
export function readWholePreview(text: string): Preview {
  if (text.trim() === "")
    throw new UnreadablePreview("the preview is empty; did `pulumi preview --json` fail?");
  const digest = parseJson(text);
  if (digest === undefined || isEvent(digest)) return readStream(text.split("\n"));
  refuseTwice(text, "the preview");
  const parsed = digestSchema.safeParse(digest);
  if (!parsed.success) throw new UnreadablePreview(digestFault(digest, parsed.error));
  const { steps, diagnostics, changeSummary, maybeCorrupt } = parsed.data;
  return preview(steps, {
    errors: (diagnostics ?? []).filter(isError).map(({ message }) => message),
    counts: changeSummary ?? undefined,
    maybeCorrupt: maybeCorrupt === true,
  });
}

/** One event alone is JSON too, but no digest. */
function isEvent(json: unknown): boolean {
  return typeof json === "object" && json !== null && "sequence" in json;
}

function digestFault(digest: unknown, error: z.ZodError): string {
  if (typeof digest !== "object" || digest === null || !("steps" in digest))
    return 'the JSON has no "steps"; pass the output of `pulumi preview --json`';
  const [issue] = error.issues;
  if (issue?.code === "unrecognized_keys")
    return `the preview has parts that this version does not know: ${issue.keys.join(", ")}; update the guard`;
  return `the preview is not as this version knows it: ${issue?.path.join(".")}: ${issue?.message}; update the guard`;
}

const inPlain =
  "the preview shows secrets in plain; take it without --show-secrets, and replace those that others have seen";

const isError = ({ severity }: { readonly severity: string }) => severity === "error";

function preview(steps: readonly Step[], ending: PreviewEnd): Preview {
  const ops = steps.map(({ op }) => op);
  const unknown = unknownOps([...ops, ...Object.keys(ending.counts ?? {})]);
  if (unknown.length > 0)
    throw new UnreadablePreview(
      `the preview has steps that this version does not know: ${unknown.join(", ")}; update the guard`,
    );
  if (steps.some(({ newState }) => newState && showsSecrets(newState)))
    return { changes: [], failures: [failure("preview-failed", inPlain)] };
  const changes = steps.map(({ oldState, ...step }) =>
    toChange({ ...step, oldState: oldState && withoutSecrets(oldState) }),
  );
  const failures = failuresOf(ending, ops);
  // By builders of another version every object would look foreign.
  const others = failures.length > 0 ? [] : versionFailures(changes);
  return others.length > 0 ? { changes: [], failures: others } : { changes, failures };
}

/** @param lines of a stream of events, which may be more than one text can hold */
function readStream(lines: Iterable<string>): Preview {
  const steps: Step[] = [];
  const errors: string[] = [];
  let summary: Omit<PreviewEnd, "errors"> | undefined;
  let index = -1;
  for (const line of lines) {
    index += 1;
    if (line.trim() === "") continue;
    const json = parseJson(line);
    refuseTwice(line, `line ${index + 1}`);
    if (json === undefined)
      throw new UnreadablePreview(
        `line ${index + 1} is not JSON; pass the output of \`pulumi preview --json\``,
      );
    const event = eventSchema.safeParse(json);
    if (!event.success || !Object.keys(json as object).some((key) => key.endsWith("Event")))
      throw new UnreadablePreview(`line ${index + 1} is no event of a Pulumi preview`);
    const { diagnosticEvent, policyEvent, summaryEvent, resourcePreEvent } = event.data;
    if (diagnosticEvent !== undefined && isError(diagnosticEvent))
      errors.push(`${diagnosticEvent.prefix}${diagnosticEvent.message}`);
    if (policyEvent?.enforcementLevel === "mandatory")
      errors.push(`policy ${policyEvent.policyName}: ${policyEvent.message}`);
    if (summaryEvent !== undefined) {
      if (summary !== undefined) throw new UnreadablePreview("the events are those of two previews");
      const { resourceChanges, result, maybeCorrupt } = summaryEvent;
      summary = {
        counts: resourceChanges ?? undefined,
        result: result ?? undefined,
        maybeCorrupt: maybeCorrupt === true,
      };
    }
    const metadata = resourcePreEvent?.metadata;
    if (metadata === undefined) continue;
    const { op, urn, old, new: next, detailedDiff } = metadata;
    steps.push({ op, urn, oldState: fromEvent(old), newState: fromEvent(next), detailedDiff });
  }
  if (steps.length === 0 && errors.length === 0)
    throw new UnreadablePreview("the events name no resource; was the preview cut short?");
  const read = preview(steps, { errors, counts: undefined, maybeCorrupt: false, ...summary });
  return { ...read, isOfEvents: true };
}

/** An event leaves out `custom` for a component, and has an object in the place of a secret, shown or not. */
function fromEvent(state: State | null | undefined): State | null | undefined {
  if (!state) return state;
  return { ...state, custom: state.custom ?? false, inputs: masked(state.inputs) as State["inputs"] };
}

// https://github.com/pulumi/pulumi/blob/v3.246.0/sdk/go/common/resource/sig/sig.go
const signature = "4dabf18193072939515e22adb298388d";

/** As a digest has it. */
function masked(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (signature in value && ("ciphertext" in value || "plaintext" in value)) return secretText;
  if (Array.isArray(value)) return value.map(masked);
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, masked(inner)]));
}

/** JSON.parse takes the last of two equal keys, and another reader the first. */
function refuseTwice(json: string, where: string): void {
  const key = doubledKey(json);
  if (key !== undefined) throw new UnreadablePreview(`${where} has the key ${key} twice in one object`);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const longestText = 400 * 2 ** 20;
const most = 2 ** 30;
const lineEnd = 0x0a;

/** A preview of up to 1 GiB: as one text, or by lines where that would be too long. */
export async function readInput(input: AsyncIterable<Buffer>): Promise<Preview> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of input) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > most)
      throw new UnreadablePreview("the preview is longer than 1 GiB; preview fewer stacks at once");
  }
  const all = Buffer.concat(chunks);
  return length <= longestText ? readWholePreview(all.toString("utf8")) : readStream(linesOf(all));
}

function* linesOf(bytes: Buffer): Generator<string> {
  for (let start = 0; start < bytes.length; ) {
    const found = bytes.indexOf(lineEnd, start);
    const end = found < 0 ? bytes.length : found;
    // A digest is one text, or begins with a bracket alone.
    if (
      end - start > longestText ||
      (start === 0 && bytes.toString("utf8", 0, Math.min(end, 10)).trim() === "{")
    )
      throw new UnreadablePreview(
        "the preview is too long for one text; take it as events, with PULUMI_ENABLE_STREAMING_JSON_PREVIEW=1",
      );
    yield bytes.toString("utf8", start, end);
    start = end + 1;
  }
}

/** A key that an object has twice, somewhere in JSON that can be parsed; undefined where none has. */
function doubledKey(json: string): string | undefined {
  const open: (Set<string> | undefined)[] = [];
  const colon = /\s*:/y;
  let start: number | undefined;
  // Brackets and the ends of strings, which are keys if a colon follows. A pattern for a whole string fails at a long one.
  for (const { 0: token, index } of json.matchAll(/\\.|["{}[\]]/g)) {
    if (token === '"' && start === undefined) start = index;
    else if (token === '"') {
      const text = json.slice(start, index + 1);
      start = undefined;
      colon.lastIndex = index + 1;
      if (!colon.test(json)) continue;
      const key = text.includes("\\") ? JSON.stringify(JSON.parse(text)) : text;
      const keys = open.at(-1);
      if (keys?.has(key)) return key;
      keys?.add(key);
    } else if (start !== undefined) continue;
    else if (token === "{") open.push(new Set());
    else if (token === "[") open.push(undefined);
    else open.pop();
  }
  return undefined;
}
