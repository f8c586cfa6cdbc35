/**
 * test/recorded/interface.json: every argument that there has ever been. It only grows, so one that is renamed or removed
 * is noticed, and fails the check until the changelog has a line with its name.
 */
import { platformFileSchema, teamFileSchema } from "@drawbridge-iac/manifests/stack";
import { argumentGroups } from "./argument-groups.ts";
import { growRecord, missingFaults, readRecord } from "./record.ts";

export const recordFile = "test/recorded/interface.json";

/** Every argument as `<interface>.<field>`, and the keys of stack files. */
export function interfaceNames(): string[] {
  const fields = [...argumentGroups().values()].flatMap(({ name, fields }) =>
    fields.map((field) => `${name}.${field.name}`),
  );
  const keys = Object.entries({ platform: platformFileSchema, team: teamFileSchema }).flatMap(
    ([file, schema]) => Object.keys(schema.shape).map((key) => `drawbridge:${file}.${key}`),
  );
  return [...fields, ...keys].sort();
}

export const recordedNames = (): string[] => readRecord(recordFile);

export const recordInterface = (): void => growRecord(recordFile, interfaceNames());

/** What is wrong between the record, the arguments of today and the changelog. */
export function interfaceFaults(
  recorded: readonly string[],
  names: readonly string[],
  changelog: string,
): string[] {
  const gone = recorded.filter((name) => !names.includes(name) && !changelog.includes(`\`${name}\``));
  const added = names.filter((name) => !recorded.includes(name));
  return [
    ...gone.map(
      (name) =>
        `\`${name}\` is renamed or removed; say so in CHANGELOG.md, with this name and what to write instead`,
    ),
    ...missingFaults(recordFile, added),
  ];
}
