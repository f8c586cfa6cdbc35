export * from "./args-error.ts";
export * from "./hash.ts";
export * from "./labels.ts";
export * from "./manifest.ts";
export * from "./names.ts";
export * from "./placed.ts";
export * from "./schema.ts";
export * from "./security.ts";
export * as shapes from "./shapes.ts";
