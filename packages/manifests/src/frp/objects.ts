import { hashOf } from "../common/crypto.ts";
import type { LoadBalancerParsed } from "../common/load-balancer.ts";
import { allAfter, declared } from "../common/objects.ts";
import { serviceAccount } from "../common/own-namespace.ts";
import { type Placed, whenKnown } from "../common/placed.ts";
import { ownNamespace } from "../istio/data-plane.ts";
import { frpListener, frpRoute } from "../istio/frp.ts";
import { frpsCertificate, frpsConfiguration, frpsMetricsSecret } from "./configuration.ts";
import { frpsDeployment } from "./deployment.ts";
import { frpNetworkPolicy } from "./network-policy.ts";
import type { FrpServerPlan } from "./plan.ts";
import type { ServerCertificate } from "./server-certificate.ts";
import { frpsLoadBalancer, frpsService } from "./service.ts";
import { frpUnits } from "./units.ts";

/** What a server's objects are made of besides its arguments. */
export interface FrpServerSecrets {
  /** Secret. */
  readonly metricsPassword: Placed<string>;
  readonly caBundle: Placed<string>;
  /** Secret; undefined where the certificate is the caller's. */
  readonly certificate: { readonly [Part in keyof ServerCertificate]: Placed<string> } | undefined;
}

/** A server's objects. */
export function frpServerObjects(plan: FrpServerPlan, secrets: FrpServerSecrets) {
  const { certificate, caBundle, metricsPassword } = secrets;
  const { connectTls } = plan;
  const needed = {
    "service-account": declared(serviceAccount(plan.names.serviceAccount, plan, { token: false })),
    configuration: declared(frpsConfiguration(plan)),
    metrics: declared(frpsMetricsSecret(plan, metricsPassword)),
    units: declared(frpUnits(plan)),
    network: declared(frpNetworkPolicy(plan)),
    certificate: certificate && declared(frpsCertificate(plan, certificate)),
  };
  const workload = frpsDeployment(
    plan,
    whenKnown(caBundle, (pem) => hashOf(pem)),
  );
  const isOutside = connectTls === undefined || plan.exposeServerPort;
  return {
    namespace: plan.createNamespace && declared(ownNamespace(plan)),
    ...allAfter(["namespace"], {
      ...needed,
      server: declared(workload, { after: Object.keys(needed) }),
      service: declared(frpsService(plan)),
      // The schema saw to it that there is one where it is needed.
      "load-balancer": isOutside && declared(frpsLoadBalancer(plan, plan.loadBalancer as LoadBalancerParsed)),
      "connect-gateway": connectTls && declared(frpListener(plan, connectTls)),
      "connect-route": connectTls && declared(frpRoute(plan, connectTls)),
    }),
  };
}

export type FrpServerObjects = ReturnType<typeof frpServerObjects>;
