export type { DevContainerStatus } from "./dev-container/status.ts";
export * from "./generated/components.ts";
export * from "./generated/index.ts";
export { keysOf, type People, type Person } from "./host/keys/people.ts";
export type { HostCondition, HostStatus } from "./host/status.ts";
export type { AsInKubernetes } from "./kubernetes/as-in-kubernetes.ts";
export { InvalidArgsError } from "./kubernetes/registration/check-args.ts";
export * from "./lists.ts";
