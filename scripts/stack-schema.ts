/** `sh scripts/run stack-schema` writes `stacks/schema.json`; a test says when it must be run. */
import { writeFileSync } from "node:fs";
import { stackSchema } from "./lib/stack-schema.ts";

writeFileSync("stacks/schema.json", `${JSON.stringify(stackSchema(), undefined, 2)}\n`);
console.log("stacks/schema.json: written");
