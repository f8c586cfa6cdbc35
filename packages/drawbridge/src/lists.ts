/** The values that arguments choose from and outputs have: constants for each such type, under the name that users import. */
export { LabelOperator, NodeOperator } from "./common/affinity.ts";
export { AccessMode } from "./common/args.ts";
export { ImagePullPolicy } from "./common/images.ts";
export { IpFamily, LoadBalancerPreset, LoadBalancerScope } from "./common/load-balancer.ts";
export { TaintEffect, UnsatisfiableSpread } from "./common/scheduling.ts";
export { EvictionPolicy } from "./container/args.ts";
export { PortScheme } from "./container/args-network.ts";
export { ContainerPhase } from "./container/phase.ts";
export { ContainerConditionType } from "./container/status.ts";
export { IssuerKind } from "./gateway/args-listeners.ts";
export { SshNetworkPolicy } from "./host/objects.ts";
export { WakePolicy, Weekday } from "./idle/args.ts";
export { SshWayKind } from "./ssh/target.ts";
export { SshMode } from "./sshd/args.ts";
export { StorageAction } from "./storage/args.ts";
export { UrlScheme } from "./storage-proxy/ref.ts";
