import { viaOf } from "../ssh/via.ts";
import type { SshGatewayPlan } from "./plan.ts";

/** The address of each listener, by its name, as the `--via` option of `drawbridge proxy` reads it. */
export function gatewayEndpoints(plan: SshGatewayPlan, address: string): { plain?: string; tls?: string } {
  return Object.fromEntries(
    plan.listeners.map(({ name, port }) => {
      const tls = name === "tls";
      return [name, viaOf({ way: "gateway", address, port, tls, mutual: plan.tls?.clientCa !== undefined })];
    }),
  );
}
