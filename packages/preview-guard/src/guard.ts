import type { Finding } from "./finding.ts";
import { holds, type Override } from "./overrides.ts";
import type { Change } from "./preview.ts";
import { rules } from "./rules/index.ts";

/** What the rules say of a preview. */
export interface Verdict {
  readonly refused: readonly (Finding & { readonly rule: string })[];
  /** Found, and accepted by an override that still holds. */
  readonly accepted: readonly (Finding & { readonly rule: string; readonly until: string })[];
  /** Overrides whose day has passed. */
  readonly expired: readonly Override[];
}

export function judge(changes: readonly Change[], overrides: readonly Override[], today: Date): Verdict {
  const current = new Map(overrides.filter((one) => holds(one, today)).map((one) => [one.rule, one.until]));
  const found = rules.flatMap((rule) => {
    // A replacement comes as several steps of one resource; its finding is told once.
    const texts = new Map(
      changes.flatMap((change) => rule.check(change, changes).map((text) => [text, change] as const)),
    );
    return [...texts].map(([text, change]) => ({ rule: rule.name, text, change }));
  });
  return {
    refused: found.filter((finding) => !current.has(finding.rule)),
    accepted: found.flatMap((finding) => {
      const until = current.get(finding.rule);
      return until === undefined ? [] : [{ ...finding, until }];
    }),
    expired: overrides.filter((one) => !holds(one, today)),
  };
}
