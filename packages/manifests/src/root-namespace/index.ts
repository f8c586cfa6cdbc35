export * from "./args.ts";
export * from "./walls.ts";
