export * from "./authorize.ts";
export * from "./grants.ts";
export * from "./limits.ts";
export * from "./options.ts";
export * from "./protocol.ts";
export * from "./proxy-rules.ts";
export * from "./server.ts";
export * from "./units-file.ts";
