/** An accepted danger: a rule's name and the last day on which it is accepted. */
export interface Override {
  readonly rule: string;
  /** ISO date, the whole day included, in UTC. */
  readonly until: string;
}

const longestDays = 90;

/** Parses `<rule>:<YYYY-MM-DD>`; an expiry is required, so that no exception lasts by being forgotten. */
export function parseOverride(text: string, ruleNames: readonly string[], today: Date): Override {
  const match = /^([a-z-]+):(\d{4}-\d{2}-\d{2})$/.exec(text);
  const rule = match?.[1] ?? "";
  const until = match?.[2] ?? "";
  const end = Date.parse(`${until}T23:59:59Z`);
  if (match === null || Number.isNaN(end)) {
    throw new Error(
      `"${text}" is no override; write <rule>:<YYYY-MM-DD>, for example volume-lost:2026-12-31`,
    );
  }
  if (!ruleNames.includes(rule)) {
    throw new Error(`"${rule}" is no rule; the rules are ${ruleNames.join(", ")}`);
  }
  if (end - today.getTime() > longestDays * 24 * 3600 * 1000) {
    throw new Error(
      `the override of ${rule} ends on ${until}; choose a day within the next ${longestDays} days`,
    );
  }
  return { rule, until };
}

/** Whether an override still holds. */
export function holds(override: Override, today: Date): boolean {
  return Date.parse(`${override.until}T23:59:59Z`) >= today.getTime();
}
