export {
  type DevContainerCondition,
  type DevContainerStatus,
  keysOf,
  type People,
  type Person,
} from "@drawbridge-iac/manifests";
export * from "@drawbridge-iac/manifests/lists";
export type { AsInKubernetes } from "./as-in-kubernetes.ts";
export { InvalidArgsError } from "./check-args.ts";
export { DevContainer } from "./dev-container.ts";
export { FrpServer } from "./frp-server.ts";
export { InjectedSshd } from "./injected-sshd.ts";
export * from "./made/index.ts";
export { SshGateway } from "./ssh-gateway.ts";
export { SshRoute } from "./ssh-route.ts";
export { StorageAccessor } from "./storage-accessor.ts";
export { StorageProxy } from "./storage-proxy.ts";
export { Team, TeamMembers, TeamPolicies } from "./team.ts";
