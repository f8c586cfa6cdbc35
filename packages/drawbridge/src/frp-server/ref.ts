import type { Input } from "../kit/input.ts";
import type { FrpServerPlan } from "./plan.ts";

/** @param caBundle PEM of the CA of frps's certificate */
export function frpServerRef(plan: FrpServerPlan, caBundle: Input<string>) {
  return {
    serverAddr: plan.serverAddr,
    serverPort: plan.serverPort,
    caBundle,
    ...(plan.connectTls === undefined ? {} : { address: plan.connectTls.dnsName }),
    connectPort: plan.connectTls?.port ?? plan.connectPort,
    connectTls: plan.connectTls !== undefined,
    domain: plan.domain,
    authorizer: { namespace: plan.namespace, serviceAccountName: plan.names.serviceAccount },
  };
}
