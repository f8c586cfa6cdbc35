export * from "./args.ts";
export * from "./objects.ts";
export * from "./walls.ts";
