/** The values that arguments choose from and outputs have: constants for each such type, under the name that users import. */

export { PortScheme } from "./dev-container/args-network.ts";
export { EvictionPolicy } from "./dev-container/args-pod.ts";
export { ContainerPhase } from "./dev-container/phase.ts";
export { SshWayKind } from "./host/client-texts/target.ts";
export { WakePolicy, Weekday } from "./host/idle/args.ts";
export { SshMode } from "./host/sshd/args.ts";
export { HostConditionType } from "./host/status.ts";
export { SshNetworkPolicy } from "./host/ways/access.ts";
export { LabelOperator, NodeOperator } from "./kubernetes/affinity.ts";
export { AccessMode } from "./kubernetes/args.ts";
export { ImagePullPolicy } from "./kubernetes/images.ts";
export { IpFamily, LoadBalancerPreset, LoadBalancerScope } from "./kubernetes/load-balancer.ts";
export { TaintEffect, TolerationOperator, UnsatisfiableSpread } from "./kubernetes/scheduling.ts";
export { IssuerKind } from "./ssh-gateway/args-listeners.ts";
export { StorageAction } from "./storage-accessor/args.ts";
export { StorageConditionType, StoragePhase } from "./storage-accessor/status.ts";
export { UrlScheme } from "./storage-proxy/ref.ts";
