import type { Placed } from "../common/placed.ts";
import type { FrpServerPlan } from "./plan.ts";

/** What a container must know of its frps: the fields of `access.frp` that come from the server's side. */
export interface FrpServerRef {
  readonly serverAddr: Placed<string>;
  readonly serverPort: number;
  readonly caBundle: Placed<string>;
  readonly connectHost: Placed<string>;
  readonly connectPort: number;
  /** Absent for a plain port. */
  readonly connectTls?: true;
  readonly domainSuffix: string;
  readonly authorizer: { readonly namespace: Placed<string>; readonly serviceAccountName: string };
}

/**
 * @param connectHost host name or address of the LoadBalancer, or the name on the gateway's certificate
 * @param caBundle PEM of the CA of frps's certificate
 */
export function frpServerRef(
  plan: FrpServerPlan,
  connectHost: Placed<string>,
  caBundle: Placed<string>,
): FrpServerRef {
  return {
    serverAddr: plan.serverAddr,
    serverPort: plan.serverPort,
    caBundle,
    connectHost,
    connectPort: plan.connectTls?.port ?? plan.connectPort,
    ...(plan.connectTls === undefined ? {} : { connectTls: true }),
    domainSuffix: plan.domainSuffix,
    authorizer: { namespace: plan.namespace, serviceAccountName: plan.names.serviceAccount },
  };
}
