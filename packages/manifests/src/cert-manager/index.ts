export * from "./args.ts";
export * from "./objects.ts";
export * from "./plan.ts";
export * from "./release.ts";
