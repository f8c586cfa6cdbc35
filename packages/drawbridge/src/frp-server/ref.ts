import type { Placed } from "../kit/placed.ts";
import type { FrpServerPlan } from "./plan.ts";

/** @param caBundle PEM of the CA of frps's certificate */
export function frpServerRef(plan: FrpServerPlan, caBundle: Placed<string>) {
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
