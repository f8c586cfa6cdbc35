/**
 * `npm run docs`: writes docs/reference.md, the plugin's schema and the records of both from the sources, builds the site
 * into docs/.vitepress/dist and fails at a link that leads nowhere. `npm run docs -- --serve` shows it while it is written.
 */
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { recordInterface } from "./lib/interface-record.ts";
import { pluginSchema, schemaFile, schemaText } from "./lib/plugin-schema.ts";
import { referenceFile, referencePage } from "./lib/reference.ts";
import { recordSchema } from "./lib/schema-record.ts";

writeFileSync(referenceFile, referencePage());
recordInterface();
const schema = pluginSchema();
writeFileSync(schemaFile, schemaText(schema));
recordSchema(schema);
const command = process.argv.includes("--serve") ? "dev" : "build";
const { status } = spawnSync("vitepress", [command, "docs"], { stdio: ["ignore", "inherit", "inherit"] });
process.exitCode = status ?? 1;
