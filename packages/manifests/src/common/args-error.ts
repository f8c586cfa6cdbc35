import type { z } from "zod";

/** One fault of a component's arguments. `path` is written as in code: `listeners.plain.port`, `keys[2]`. */
export interface ArgsIssue {
  readonly path: string;
  readonly message: string;
}

/** Every fault of one component's arguments, thrown before the component registers anything. */
export class ArgsError extends Error {
  override readonly name = "ArgsError";
  readonly component: string;
  readonly instance: string;
  readonly issues: readonly ArgsIssue[];

  /** @param outcome what became of the component */
  constructor(
    component: string,
    instance: string,
    issues: readonly ArgsIssue[],
    outcome = "nothing was created",
  ) {
    const count = issues.length === 1 ? "1 fault" : `${issues.length} faults`;
    const lines = issues.map(
      (issue) => `  - ${issue.path === "" ? "(arguments)" : issue.path}: ${issue.message}`,
    );
    super([`${component} "${instance}": ${count} in its arguments, ${outcome}:`, ...lines].join("\n"));
    this.component = component;
    this.instance = instance;
    this.issues = issues;
  }
}

/** Checks `args` against `schema`; returns the parsed value or throws an ArgsError with every fault. */
export function parseArgs<S extends z.ZodType>(
  component: string,
  instance: string,
  schema: S,
  args: unknown,
): z.output<S> {
  const result = schema.safeParse(args ?? {}, { reportInput: true });
  if (result.success) return result.data;
  throw new ArgsError(component, instance, issuesOf(result.error));
}

/** The faults of a zod error in the order of their paths, each once. */
export function issuesOf(error: z.ZodError): ArgsIssue[] {
  const seen = new Set<string>();
  const issues: ArgsIssue[] = [];
  for (const issue of error.issues) {
    const found = { path: formatPath(issue.path), message: describe(issue) };
    const key = `${found.path}\n${found.message}`;
    if (!seen.has(key)) issues.push(found);
    seen.add(key);
  }
  return issues.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
}

/** `["a", 0, "b.c"]` becomes `a[0]["b.c"]`. */
export function formatPath(path: readonly PropertyKey[]): string {
  return path
    .map((part, index) => {
      if (typeof part === "number") return `[${part}]`;
      const text = String(part);
      if (/^[A-Za-z_$][\w$]*$/.test(text)) return index === 0 ? text : `.${text}`;
      return `[${JSON.stringify(text)}]`;
    })
    .join("");
}

// A field with one of these names may hold a secret, so its value is never repeated in a message.
const secretField = /(seed|key|token|password|secret|credential)s?$/i;

function describe(issue: z.core.$ZodIssue): string {
  const field = String(issue.path.at(-1) ?? "");
  if (issue.code === "invalid_type" && issue.input === undefined)
    return `is missing; give a ${issue.expected}`;
  if (issue.code === "invalid_type" && !secretField.test(field)) {
    return `must be a ${issue.expected}, not ${showValue(issue.input)}`;
  }
  return issue.message;
}

/** A value as it is shown in a message: JSON, cut at 80 characters. */
export function showValue(value: unknown): string {
  if (typeof value === "function") return "a function";
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}
