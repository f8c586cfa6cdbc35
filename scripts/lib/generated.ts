/** All generated files, made of the arguments' schemas, programs and records, written by `npm run generate`, and held to them by a check. */
import { existsSync, globSync, readFileSync, rmSync } from "node:fs";
import { programModules, writeFiles } from "../programs.ts";
import * as bench from "./bench-report/docs.ts";
import { withFigures } from "./bench-report/inline.ts";
import { childrenFile, childrenTypes } from "./children.ts";
import * as drill from "./drill-report/docs.ts";
import { fieldsFile, fieldsPage } from "./fields-page.ts";
import { interfaces, interfacesFolder } from "./interfaces.ts";
import { llmsFile, llmsText } from "./llms.ts";
import { pages } from "./pages/page-blocks.ts";
import { withPrograms } from "./pages/program-blocks.ts";
import { type PluginSchema, pluginSchema, schemaFile } from "./plugin-schema.ts";
import { referenceFile, referencePage } from "./reference.ts";
import { stackSchema, stackSchemaFile } from "./stack-schema.ts";

/** What a team at its bound makes etcd hold: DRAWBRIDGE_RECORD of test/long/team-at-its-bound-etcd.test.ts. */
const boundFile = "docs/team-bound.json";

/** How many conformance specs of Kubernetes pass in a lab: DRAWBRIDGE_RECORD of test/long/conformance.test.ts. */
const conformanceFile = "docs/conformance.json";

const readJson = (file: string) => JSON.parse(readFileSync(file, "utf8"));

/** Pages, with the figures of the records of bench, drill, conformance and a team's bound where their marks are. */
function pagesWithFigures(): (readonly [string, string])[] {
  const document = { ...bench.published(), ...readJson(boundFile), ...readJson(conformanceFile) };
  const ofPage: Record<string, (text: string) => string> = {
    [bench.pageFile]: (text) => bench.page(text, document),
    [drill.pageFile]: (text) => drill.page(text, readFileSync(drill.recordsFile, "utf8")),
  };
  const figures = (file: string) => withPrograms(file, withFigures(readFileSync(file, "utf8"), document));
  return pages().map((file) => [file, (ofPage[file] ?? String)(figures(file))]);
}

const json = (schema: object) => `${JSON.stringify(schema, undefined, 1)}\n`;

const interfaceFiles = () =>
  Object.entries(interfaces()).map(([name, text]) => [`${interfacesFolder}/${name}`, text] as const);

export const writeInterfaces = () => writeFiles(new Map(interfaceFiles()));

/** The text of each by its name. */
function generatedFiles(schema: PluginSchema = pluginSchema()): ReadonlyMap<string, string> {
  return new Map([
    ...pagesWithFigures(),
    ...programModules(),
    ...interfaceFiles(),
    [childrenFile, childrenTypes()],
    [schemaFile, json(schema)],
    [stackSchemaFile, json(stackSchema())],
    [referenceFile, referencePage()],
    [fieldsFile, fieldsPage()],
    [llmsFile, llmsText()],
  ]);
}

/** Files in the folders of the made ones that nothing makes any more. */
const leftOver = (made: ReadonlyMap<string, string>) =>
  globSync("packages/*/src/generated/*").filter((file) => !made.has(file));

export function writeGenerated(schema: PluginSchema): void {
  const made = generatedFiles(schema);
  writeFiles(made);
  for (const file of leftOver(made)) rmSync(file);
}

/** The made files that are not as they would be made now. */
export function staleFiles(): string[] {
  const made = generatedFiles();
  const isStale = ([file, text]: [string, string]) =>
    !existsSync(file) || readFileSync(file, "utf8") !== text;
  return [...[...made].filter(isStale).map(([file]) => file), ...leftOver(made)];
}
