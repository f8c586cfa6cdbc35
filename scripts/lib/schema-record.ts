/**
 * test/recorded/schema.json: every argument, output and enum value that the schema has ever had, with its type. It only
 * grows, so what breaks a program in another language is noticed, and fails the check until the changelog has its name.
 */
import { readFileSync } from "node:fs";
import { type PluginSchema, type Property, schemaFile } from "./plugin-schema.ts";
import { growRecord, missingFaults, readRecord } from "./record.ts";

export const schemaRecordFile = "test/recorded/schema.json";

export const writtenSchema = (): PluginSchema => JSON.parse(readFileSync(schemaFile, "utf8"));
export const recordedSchema = (): string[] => readRecord(schemaRecordFile);

/** A line for each thing that a program names, as `<owner>.<name>: <type>`. */
export function schemaLines({ resources, types }: PluginSchema): string[] {
  const nameOf = (token: string) => token.replace("drawbridge:index:", "");
  const of = (owner: string, found: Record<string, Property>, required: readonly string[]) =>
    Object.entries(found).map(
      ([name, property]) =>
        `${owner}.${name}: ${typeOf(property)}${required.includes(name) ? ", required" : ""}`,
    );
  return [
    ...Object.entries(resources).flatMap(([token, resource]) => [
      ...of(nameOf(token), resource.inputProperties, resource.requiredInputs),
      ...of(`${nameOf(token)}.outputs`, resource.properties, resource.required ?? []),
    ]),
    ...Object.entries(types).flatMap(([token, type]) => [
      ...of(nameOf(token), type.properties ?? {}, type.required ?? []),
      ...(type.enum ?? []).map(({ name, value }) => `${nameOf(token)}.${name}: ${JSON.stringify(value)}`),
    ]),
  ].sort();
}

/** A type in one line; `plain` is what takes no Output. */
function typeOf({ type, $ref, items, additionalProperties, plain }: Property): string {
  const inner = items ?? additionalProperties;
  const name = $ref?.split(/[:/]/).at(-1) ?? type ?? "";
  return `${plain === true ? "plain " : ""}${name}${inner === undefined ? "" : ` of ${typeOf(inner)}`}`;
}

export const recordSchema = (schema: PluginSchema): void => growRecord(schemaRecordFile, schemaLines(schema));

const nameOf = (line: string) => line.slice(0, line.indexOf(":"));
const ownerOf = (line: string) => nameOf(line).replace(/\.\w+$/, "");

/** What is wrong between the record, the schema of today and the changelog. */
export function schemaFaults(
  recorded: readonly string[],
  lines: readonly string[],
  changelog: string,
): string[] {
  const said = (line: string) => changelog.includes(`\`${nameOf(line)}\``);
  const old = new Set(recorded);
  const now = new Map(lines.map((line) => [nameOf(line), line]));
  const owners = new Set(recorded.map(ownerOf));
  const broken = recorded.flatMap((line) => {
    const today = now.get(nameOf(line));
    if (said(line) || lines.includes(line)) return [];
    return [`\`${nameOf(line)}\` ${today === undefined ? "is gone" : `was "${line}" and is "${today}"`}`];
  });
  const known = new Set(recorded.map(nameOf));
  const demanded = lines
    .filter((line) => line.endsWith(", required") && owners.has(ownerOf(line)))
    .filter((line) => !ownerOf(line).endsWith(".outputs") && !known.has(nameOf(line)) && !said(line))
    .map((line) => `\`${nameOf(line)}\` is new and required`);
  return [
    ...[...broken, ...demanded].map(
      (fault) => `${fault}, which breaks programs in other languages; say so in CHANGELOG.md, with this name`,
    ),
    ...missingFaults(schemaRecordFile, lines.filter((line) => !old.has(line)).map(nameOf)),
  ];
}
