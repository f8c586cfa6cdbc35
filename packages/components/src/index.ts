export {
  type DevContainerCondition,
  type DevContainerStatus,
  keysOf,
  type People,
  type Person,
} from "@drawbridge-iac/manifests";
export * from "@drawbridge-iac/manifests/lists";
export type { AsInKubernetes } from "./as-in-kubernetes.ts";
export { DevContainer } from "./dev-container.ts";
export { FrpServer } from "./frp-server.ts";
export { InjectedSshd } from "./injected-sshd.ts";
export { InvalidArgsError } from "./invalid-args.ts";
export * from "./made/index.ts";
export { SshGateway } from "./ssh-gateway.ts";
export { SshRoute } from "./ssh-route.ts";
export { StorageAccessor } from "./storage-accessor.ts";
export { StorageProxy } from "./storage-proxy.ts";
export { Team } from "./team.ts";
export { TeamMembers } from "./team-members.ts";
export { TeamPolicies } from "./team-policies.ts";
