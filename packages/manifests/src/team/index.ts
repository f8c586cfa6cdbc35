export * from "./args.ts";
export * from "./deployer-role.ts";
export * from "./namespace.ts";
export { platformWallOwner, teamWalls } from "./walls.ts";
