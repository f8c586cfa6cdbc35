/** Whether a preview can be judged: it ended without an error, is whole, not empty, and of this guard's version. */
import { libraryVersion } from "@drawbridge-iac/drawbridge/src/kit/library-version";
import { type Change, isOurs } from "./change.ts";
import { joined } from "./report-text.ts";
import { at } from "./values.ts";

/** Why a preview cannot be judged. */
export interface Failure {
  readonly rule: "preview-failed" | "preview-incomplete" | "empty-stack" | "other-version";
  readonly text: string;
}

// https://github.com/pulumi/pulumi/blob/v3.246.0/pkg/resource/deploy/step.go
const knownOps = new Set([
  ..."same create update delete replace create-replacement delete-replaced read".split(" "),
  ..."read-replacement refresh discard discard-replaced remove-pending-replace import import-replacement diff".split(
    " ",
  ),
]);

export function unknownOps(ops: readonly string[]): string[] {
  return [...new Set(ops.filter((op) => !knownOps.has(op)))];
}

/** How a preview ended. */
export interface PreviewEnd {
  /** Error diagnostics as Pulumi wrote them. */
  readonly errors: readonly string[];
  /** How many resources each operation has; undefined if Pulumi did not come to counting them. */
  readonly counts: Readonly<Record<string, number>> | undefined;
  readonly maybeCorrupt: boolean;
  /** What a stream of events says of itself. */
  readonly result?: string | undefined;
}

/** @param ops the operations of the steps that are there */
export function failuresOf(
  { errors, counts, maybeCorrupt, result }: PreviewEnd,
  ops: readonly string[],
): Failure[] {
  const failed = [...new Set(errors.map((text) => text.trim()))].map((text) =>
    failure("preview-failed", text),
  );
  if (failed.length > 0) return failed;
  if (result !== undefined && result !== "succeeded")
    return [failure("preview-failed", `Pulumi says that the preview ${result}`)];
  if (maybeCorrupt) return [failure("preview-failed", "Pulumi says that the stack's state may be corrupt")];
  if (counts === undefined)
    return [failure("preview-incomplete", "the preview has no summary: it was interrupted or cut short")];
  // A replacement is shown as one step, or as its parts.
  const isStep = (one: string, op: string) =>
    one === op || (op === "replace" && one === "create-replacement");
  const missing = ["create", "update", "delete", "replace", "import"].filter(
    // A refresh turns steps of its own into updates and deletions, so there may be more.
    (op) => (counts[op] ?? 0) > ops.filter((one) => isStep(one, op)).length,
  );
  if (missing.length > 0) {
    const said = missing.map((op) => `${counts[op] ?? 0} to ${op}`).join(", ");
    return [failure("preview-incomplete", `the preview counts ${said}, but holds fewer such steps`)];
  }
  const hidden = (counts.same ?? 0) - ops.filter((op) => op === "same").length;
  if (hidden > 0)
    return [
      failure(
        "preview-incomplete",
        `the preview leaves out ${hidden} unchanged resources, whose options may change; take it with --show-sames`,
      ),
    ];
  return isEmpty(counts)
    ? [failure("empty-stack", "nothing but the stack itself is left; is it the right stack, with its file?")]
    : [];
}

export const failure = (rule: Failure["rule"], text: string): Failure => ({ rule, text });

/** A stack that holds nothing afterwards: the stack itself is the one resource that is always there. */
function isEmpty(counts: Readonly<Record<string, number>>): boolean {
  const left = Object.entries(counts)
    .filter(([op]) => !["delete", "discard"].includes(op))
    .reduce((sum, [, count]) => sum + count, 0);
  return left <= 1;
}

export function versionFailures(changes: readonly Change[]): Failure[] {
  const components = changes.filter(
    ({ type, isCustom, after }) => !isCustom && after !== undefined && isOurs(type),
  );
  const byVersion = Map.groupBy(components, ({ after }) => {
    const version = at(after, "library", "version");
    return isVersion(version) ? version : undefined;
  });
  const names = [...byVersion].map(([version, of]) => [version, joined(of.map(({ name }) => name))] as const);
  const other = names.find(([version]) => version !== libraryVersion);
  if (other === undefined) return [];
  const said = names.map(([version, of]) => `${version ?? "an unknown one"} (${of})`).join(" and ");
  const fault = (text: string) => [failure("other-version", text)];
  if (names.length > 1) {
    return fault(
      `the components are of several versions of drawbridge, ${said}: bring all to one, and see what \`npm ls @drawbridge-iac/drawbridge\` says`,
    );
  }
  const [version, of] = other;
  if (version === undefined) {
    return fault(
      `the components do not say of which version of drawbridge they are (${of}), so that it is older than this guard: npm install --save-exact @drawbridge-iac/drawbridge@${libraryVersion}`,
    );
  }
  return fault(
    `the components are of drawbridge ${said}, and this guard is of ${libraryVersion}: npm install --save-exact @drawbridge-iac/preview-guard@${version}`,
  );
}

const isVersion = (version: unknown): version is string => /^\d+\.\d+\.\d+[\w.-]*$/.test(String(version));
