import { join } from "node:path";

/** Name of the demo's lab. */
export const labName = "demo";

/** Variable that says that the machine cannot build the program behind the storage's page. */
export const withoutStoragePage = "DRAWBRIDGE_DEMO_WITHOUT_STORAGE_PAGE";

/** Where the demo keeps its Pulumi state, its copy of the stack files and its laptop. */
export const demoFolder = join(process.cwd(), ".drawbridge", "demo");
