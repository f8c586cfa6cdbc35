/** For programs that build on the command: the targets of a stack's outputs, and a stream to one of them. */
export { CliError } from "./cli-error.ts";
export { openTunnel } from "./proxy/dial.ts";
export type { Gateway } from "./proxy/gateway.ts";
export { WayError } from "./proxy/way-error.ts";
export { findTargets } from "./targets.ts";
