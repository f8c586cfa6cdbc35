/** Builds programs by hand: `node packages/lab/src/tools/main.ts [name …]`, all of them by default. */

import { lineProgress } from "../progress.ts";
import { ensureTools, type ToolName, toolNames, toolVersions } from "./index.ts";

const names = process.argv.slice(2);
const unknown = names.filter((name) => !toolNames.includes(name as ToolName));
if (unknown.length > 0) {
  console.error(`no tool is called ${unknown.join(", ")}; there are: ${toolNames.join(", ")}`);
  process.exit(2);
}
const wanted = names.length > 0 ? (names as ToolName[]) : toolNames;
const versions = toolVersions();
for (const [tool, path] of Object.entries(await ensureTools(wanted, lineProgress()))) {
  console.log(`${tool} ${versions[tool as ToolName]} ${path}`);
}
