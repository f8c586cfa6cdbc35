/**
 * The comment before the keys of a named person or group. sshd skips it; readers of the file see by it which keys come
 * from `people`, and so which will change when somebody joins or leaves.
 */

/** A person or group, and how many of the lines that follow are theirs. */
export interface PersonLine {
  readonly person: string;
  readonly count: number;
}

export function personLine({ person, count }: PersonLine): string {
  return `# ${person} has ${count === 0 ? "no key" : count === 1 ? "1 key" : `${count} keys`}`;
}

/** Undefined for any other line. */
export function readPersonLine(line: string): PersonLine | undefined {
  const [, person, count] =
    /^# ((?:group:)?[a-z0-9][a-z0-9._-]{0,62}) has (no|[1-9]\d{0,3}) keys?$/.exec(line) ?? [];
  return person === undefined ? undefined : { person, count: count === "no" ? 0 : Number(count) };
}
