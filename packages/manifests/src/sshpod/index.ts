export * from "./host.ts";
export * from "./role.ts";
