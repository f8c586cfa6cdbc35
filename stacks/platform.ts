import { SshGateway, type SshGatewayArgs } from "@drawbridge-iac/drawbridge";
import type { PlatformStack } from "./config/read.ts";

/** What all teams share. Its outputs are what a team's file names under `gateway`. */
export function platform(config: PlatformStack): Record<string, unknown> {
  if (config.gateway === undefined) return {};
  const gateway = new SshGateway(config.gateway.name ?? "ssh-ingress", config.gateway as SshGatewayArgs);
  return { gateway: gateway.ref, gatewayAddress: gateway.address };
}
