/** Who gains or loses the right to log in, or rights in the cluster. */
import { createHash } from "node:crypto";
import { isBinding, peopleOf } from "./binding.ts";
import { at, belongsTo, ends, isReplaced, kindOf } from "./finding.ts";
import type { Change } from "./preview.ts";

/** One line per key that comes or goes, named by its comment or its fingerprint, and per subject of a binding. */
export function describeAccess(changes: readonly Change[]): string[] {
  return [...describeKeys(changes), ...describeBindings(changes)];
}

function describeKeys(changes: readonly Change[]): string[] {
  return changes.flatMap((change) => {
    const isKeys = kindOf(change) === "ConfigMap" && change.name.endsWith("-authorized-keys");
    if (!isKeys || !belongsTo(change, "DevContainer")) return [];
    const before = change.op === "create" ? new Map<string, string>() : keysOf(change.before);
    const after = change.op === "delete" ? new Map<string, string>() : keysOf(change.after);
    const where = change.component?.name;
    return [
      ...[...after].filter(([key]) => !before.has(key)).map(([, who]) => `${who} gains access to ${where}`),
      ...[...before].filter(([key]) => !after.has(key)).map(([, who]) => `${who} loses access to ${where}`),
    ];
  });
}

function describeBindings(changes: readonly Change[]): string[] {
  return changes.flatMap((change) => {
    if (!isBinding(change) || isReplaced(change)) return [];
    const before = subjectsOf(change.op === "create" ? undefined : change.before);
    const after = subjectsOf(ends(change) ? undefined : change.after);
    return [
      ...after.filter((who) => !before.includes(who)).map((who) => `${who} gains ${change.name}`),
      ...before.filter((who) => !after.includes(who)).map((who) => `${who} loses ${change.name}`),
    ];
  });
}

function subjectsOf(inputs: unknown): string[] {
  return peopleOf(inputs).map((who) => `${String(at(who, "kind")).toLowerCase()} ${String(at(who, "name"))}`);
}

/** Base64 key to a name for it. */
function keysOf(inputs: unknown): Map<string, string> {
  const text = at(inputs, "data", "authorized_keys");
  const lines = typeof text === "string" ? text.split("\n") : [];
  return new Map(
    lines.flatMap((line) => {
      const match = /(AAAA[A-Za-z0-9+/=]+)\s*(.*)$/.exec(line);
      const key = match?.[1];
      return key === undefined ? [] : [[key, match?.[2] || fingerprint(key)] as const];
    }),
  );
}

function fingerprint(key: string): string {
  const hash = createHash("sha256").update(Buffer.from(key, "base64")).digest("base64");
  return `the key SHA256:${hash.replace(/=+$/, "")}`;
}
