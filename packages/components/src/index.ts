export {
  AccessMode,
  EvictionPolicy,
  ImagePullPolicy,
  IpFamily,
  IssuerKind,
  keysOf,
  LabelOperator,
  LoadBalancerPreset,
  LoadBalancerScope,
  NodeOperator,
  type People,
  type Person,
  PortScheme,
  SshMode,
  StorageAction,
  StorageProxyMode,
  TaintEffect,
  UnsatisfiableSpread,
  UrlScheme,
  WakePolicy,
  Weekday,
} from "@drawbridge-iac/manifests";
export type { AsInKubernetes } from "./as-in-kubernetes.ts";
export { DevContainer } from "./dev-container.ts";
export type { DevContainerCondition, DevContainerStatus } from "./dev-container-status.ts";
export { FrpServer } from "./frp-server.ts";
export { InvalidArgsError } from "./invalid-args.ts";
export * from "./made/index.ts";
export { RootNamespace } from "./root-namespace.ts";
export { SshGateway } from "./ssh-gateway.ts";
export { StorageAccessor } from "./storage-accessor.ts";
export { StorageProxy } from "./storage-proxy.ts";
