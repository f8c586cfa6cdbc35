export {
  AccessMode,
  EvictionPolicy,
  ImagePullPolicy,
  IpFamily,
  IssuerKind,
  LoadBalancerPreset,
  LoadBalancerScope,
  SshdMode,
} from "@drawbridge-iac/manifests";
export { DevContainer } from "./dev-container.ts";
export * from "./dev-container-args.ts";
export { InvalidArgsError } from "./invalid-args.ts";
export { SshGateway } from "./ssh-gateway.ts";
export * from "./ssh-gateway-args.ts";
