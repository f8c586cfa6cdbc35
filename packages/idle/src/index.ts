export { Activator, type ActivatorOptions } from "./activate.ts";
export { Culler, type CullerOptions } from "./cull.ts";
