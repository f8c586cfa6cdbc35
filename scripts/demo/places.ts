import { join } from "node:path";

/** Name of the demo's lab. */
export const labName = "demo";

/** Where the demo keeps its Pulumi state, its copy of the stack files and its laptop. */
export const demoFolder = join(process.cwd(), ".drawbridge", "demo");
