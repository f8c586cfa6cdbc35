/**
 * `npm run docs`: writes all that is made of the programs and of the arguments' schemas, and the records of their names,
 * builds the site into docs/.vitepress/dist and fails at a link that leads nowhere. `npm run docs -- --serve` shows it
 * while it is written.
 */
import { spawnSync } from "node:child_process";
import { writePrograms } from "./programs.ts";

// All else reads the builders, which do not load without their programs.
writePrograms();
const { writeMade } = await import("./lib/made.ts");
const { pluginSchema } = await import("./lib/plugin-schema.ts");
const { growRecords } = await import("./lib/records.ts");

const schema = pluginSchema();
writeMade(schema);
growRecords(schema);
const command = process.argv.includes("--serve") ? "dev" : "build";
const { status } = spawnSync("vitepress", [command, "docs"], { stdio: ["ignore", "inherit", "inherit"] });
process.exitCode = status ?? 1;
