/** All files that are made, of the arguments' schemas, programs and records: written by `npm run docs`, and held to them by a check. */
import { existsSync, globSync, readFileSync, rmSync } from "node:fs";
import { basename } from "node:path";
import * as bench from "../../test/bench/report/docs.ts";
import { withFigures } from "../../test/bench/report/inline.ts";
import * as drill from "../../test/drill/report/docs.ts";
import { pages } from "../../test/support/pages/page-blocks.ts";
import { programModules, writeFiles } from "../programs.ts";
import { fieldsFile, fieldsPage } from "./fields-page.ts";
import { madeFolder, madeInterfaces } from "./made-interfaces.ts";
import { type PluginSchema, pluginSchema, schemaFile } from "./plugin-schema.ts";
import { referenceFile, referencePage } from "./reference.ts";
import { stackSchema, stackSchemaFile } from "./stack-schema.ts";

/** Sources of the builders, copied for the programs in the cluster: their image has no package beside them. */
const copied = () =>
  ["common/contract.ts", "container/phase.ts"].map((name): [string, string] => {
    const source = `packages/drawbridge/src/${name}`;
    const head = `// Made by \`npm run docs\` of ${source}; change that.\n`;
    return [`packages/controllers/src/made/${basename(name)}`, `${head}${readFileSync(source, "utf8")}`];
  });

/** Pages, with the figures of the records of bench and drill where their marks are. */
function pagesWithFigures(): (readonly [string, string])[] {
  const document = bench.published();
  const ofPage: Record<string, (text: string) => string> = {
    [bench.pageFile]: (text) => bench.page(text, document),
    [drill.pageFile]: (text) => drill.page(text, readFileSync(drill.recordsFile, "utf8")),
  };
  const figures = (file: string) => withFigures(readFileSync(file, "utf8"), document);
  return pages().map((file) => [file, (ofPage[file] ?? String)(figures(file))]);
}

const json = (schema: object) => `${JSON.stringify(schema, undefined, 1)}\n`;

/** The text of each by its name. */
function madeFiles(schema: PluginSchema = pluginSchema()): ReadonlyMap<string, string> {
  return new Map([
    ...pagesWithFigures(),
    ...programModules(),
    ...copied(),
    ...Object.entries(madeInterfaces()).map(([name, text]) => [`${madeFolder}/${name}`, text] as const),
    [schemaFile, json(schema)],
    [stackSchemaFile, json(stackSchema())],
    [referenceFile, referencePage()],
    [fieldsFile, fieldsPage()],
  ]);
}

/** Files in the folders of the made ones that nothing makes any more. */
const leftOver = (made: ReadonlyMap<string, string>) =>
  globSync("packages/*/src/made/*").filter((file) => !made.has(file));

export function writeMade(schema: PluginSchema): void {
  const made = madeFiles(schema);
  writeFiles(made);
  for (const file of leftOver(made)) rmSync(file);
}

/** The made files that are not as they would be made now. */
export function staleFiles(): string[] {
  const made = madeFiles();
  const isStale = ([file, text]: [string, string]) =>
    !existsSync(file) || readFileSync(file, "utf8") !== text;
  return [...[...made].filter(isStale).map(([file]) => file), ...leftOver(made)];
}
