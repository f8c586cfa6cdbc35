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
export * from "./affinity-args.ts";
export type { AsInKubernetes } from "./as-in-kubernetes.ts";
export * from "./client-limits-args.ts";
export { DevContainer } from "./dev-container.ts";
export * from "./dev-container-args.ts";
export * from "./dev-container-environment-args.ts";
export * from "./dev-container-frp-args.ts";
export * from "./dev-container-helper-args.ts";
export * from "./dev-container-idle-args.ts";
export * from "./dev-container-machine-args.ts";
export * from "./dev-container-network-args.ts";
export * from "./dev-container-pod-args.ts";
export * from "./dev-container-ssh-args.ts";
export type { DevContainerCondition, DevContainerStatus } from "./dev-container-status.ts";
export * from "./dev-container-volume-args.ts";
export { FrpServer } from "./frp-server.ts";
export * from "./frp-server-args.ts";
export { InvalidArgsError } from "./invalid-args.ts";
export * from "./load-balancer-args.ts";
export * from "./pod-metadata-args.ts";
export * from "./resources-args.ts";
export { RootNamespace } from "./root-namespace.ts";
export * from "./root-namespace-args.ts";
export * from "./scheduling-args.ts";
export { SshGateway } from "./ssh-gateway.ts";
export * from "./ssh-gateway-args.ts";
export * from "./ssh-gateway-idle-args.ts";
export { StorageAccessor } from "./storage-accessor.ts";
export * from "./storage-accessor-args.ts";
export { StorageProxy } from "./storage-proxy.ts";
export * from "./storage-proxy-args.ts";
