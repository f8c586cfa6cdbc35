/**
 * `npm run docs`: writes all that is made of the arguments' schemas, and the records of their names, builds the site into
 * docs/.vitepress/dist and fails at a link that leads nowhere. `npm run docs -- --serve` shows it while it is written.
 */
import { spawnSync } from "node:child_process";
import { recordInterface } from "./lib/interface-record.ts";
import { writeMade } from "./lib/made.ts";
import { pluginSchema } from "./lib/plugin-schema.ts";
import { recordSchema } from "./lib/schema-record.ts";

const schema = pluginSchema();
writeMade(schema);
recordInterface();
recordSchema(schema);
const command = process.argv.includes("--serve") ? "dev" : "build";
const { status } = spawnSync("vitepress", [command, "docs"], { stdio: ["ignore", "inherit", "inherit"] });
process.exitCode = status ?? 1;
