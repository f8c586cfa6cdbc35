/** Stack files: what they may hold, read without Pulumi. */
export * from "./check-file.ts";
export * from "./complete.ts";
export * from "./fault.ts";
export * from "./merge.ts";
export * from "./named-people.ts";
export * from "./paths.ts";
export * from "./platform-outputs.ts";
export * from "./read.ts";
export * from "./read-platform.ts";
export * from "./read-team.ts";
export * from "./schema.ts";
export * from "./stack-file.ts";
