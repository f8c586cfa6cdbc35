/** Gateways as the scenarios have them: one replica, on the lab's LoadBalancer, with drains that a run can outlast. */
import { SshGateway, type SshGatewayArgs } from "@drawbridge-iac/drawbridge";
import { drainSeconds, noLimits } from "../../support/lab/cluster.ts";

export function benchGateway(name: string, domain: string, args: Partial<SshGatewayArgs> = {}): SshGateway {
  return new SshGateway(name, {
    domain,
    replicas: 1,
    drainSeconds,
    // One machine is all the clients here, and would soon be over the limits for one.
    connectionLimits: noLimits,
    loadBalancer: { preset: "generic" },
    ...args,
  });
}
