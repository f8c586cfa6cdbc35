/**
 * test/recorded: every argument that there has ever been, and every argument, output and enum value of the schema, with its
 * type. The files only grow. So what is renamed or removed, or breaks a program in another language, is noticed, and fails a
 * test until the changelog has its name.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { platformFileSchema, teamFileSchema } from "@drawbridge-iac/drawbridge/src/stacks/schema";
import { argumentGroups } from "./argument-groups.ts";
import type { PluginSchema, Property } from "./plugin-schema.ts";

const interfaceFile = "test/recorded/interface.json";
const schemaRecordFile = "test/recorded/schema.json";

const readRecord = (file: string): string[] => JSON.parse(readFileSync(file, "utf8"));

export const recordedNames = (): string[] => readRecord(interfaceFile);
export const recordedSchema = (): string[] => readRecord(schemaRecordFile);

/** Adds what is new. */
export function growRecords(schema: PluginSchema): void {
  const found = { [interfaceFile]: interfaceNames(), [schemaRecordFile]: schemaLines(schema) };
  for (const [file, lines] of Object.entries(found)) {
    const all = [...new Set([...readRecord(file), ...lines])].sort();
    writeFileSync(file, `${JSON.stringify(all, undefined, 1)}\n`);
  }
}

/** What is wrong with those that are not in the record yet. */
function missingFaults(file: string, names: readonly string[]): string[] {
  return names.map((name) => `${name} is not in ${file}; run npm run generate`);
}

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

/** Whether the changelog has the name; of a type that is gone as a whole, its own will do. */
function isSaid(name: string, today: readonly string[], changelog: string): boolean {
  const owner = ownerOf(`${name}:`);
  const isGone = !today.some((one) => one.startsWith(`${owner}.`));
  return changelog.includes(`\`${name}\``) || (isGone && changelog.includes(`\`${owner}\``));
}

/** What is wrong between the record, the arguments of today and the changelog. */
export function interfaceFaults(
  recorded: readonly string[],
  names: readonly string[],
  changelog: string,
): string[] {
  const gone = recorded.filter((name) => !names.includes(name) && !isSaid(name, names, changelog));
  const added = names.filter((name) => !recorded.includes(name));
  return [
    ...gone.map(
      (name) =>
        `\`${name}\` is renamed or removed; say so in CHANGELOG.md, with this name and what to write instead`,
    ),
    ...missingFaults(interfaceFile, added),
  ];
}

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
function typeOf({ type, $ref, items, additionalProperties, plain, oneOf }: Property): string {
  if (oneOf !== undefined) return oneOf.map(typeOf).join(" or ");
  const inner = items ?? additionalProperties;
  const name = $ref?.split(/[:/]/).at(-1) ?? type ?? "";
  return `${plain === true ? "plain " : ""}${name}${inner === undefined ? "" : ` of ${typeOf(inner)}`}`;
}

const nameOf = (line: string) => line.slice(0, line.indexOf(":"));
const ownerOf = (line: string) => nameOf(line).replace(/\.\w+$/, "");

/** What is wrong between the record, the schema of today and the changelog. */
export function schemaFaults(
  recorded: readonly string[],
  lines: readonly string[],
  changelog: string,
): string[] {
  const said = (line: string) => isSaid(nameOf(line), lines, changelog);
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
