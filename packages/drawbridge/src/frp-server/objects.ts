import { namespaceManifest } from "../istio/data-plane.ts";
import { frpListener, frpRoute } from "../istio/frp.ts";
import { hashOf } from "../kit/crypto.ts";
import { type Input, whenKnown } from "../kit/input.ts";
import { configMap, secret } from "../kubernetes/data.ts";
import type { LoadBalancerParsed } from "../kubernetes/load-balancer.ts";
import { allAfter, declared } from "../kubernetes/objects.ts";
import { serviceAccount } from "../kubernetes/own-namespace.ts";
import type { ServerCertificate } from "./certificate.ts";
import { frpsFile, frpsToml, frpUnits, metricsPasswordKey } from "./configuration.ts";
import { frpsDeployment } from "./deployment.ts";
import { frpNetworkPolicy, frpsLoadBalancer, frpsService } from "./network.ts";
import type { FrpServerPlan } from "./plan.ts";

/** What a server's objects are made of besides its arguments. */
interface FrpServerSecrets {
  /** Secret: opens dashboard and metrics. */
  readonly metricsPassword: Input<string>;
  readonly caBundle: Input<string>;
  /** Secret; undefined where the certificate is the caller's. */
  readonly certificate: { readonly [Part in keyof ServerCertificate]: Input<string> } | undefined;
}

/** A server's objects. */
export function frpServerObjects(plan: FrpServerPlan, secrets: FrpServerSecrets) {
  const { certificate, caBundle, metricsPassword } = secrets;
  const { connectTls, names } = plan;
  // Of the same shape as one of cert-manager's.
  const certificateFiles = certificate && {
    "ca.crt": certificate.caBundle,
    "tls.crt": certificate.certificate,
    "tls.key": certificate.privateKey,
  };
  const needed = {
    "service-account": declared(serviceAccount(names.serviceAccount, plan, { token: false })),
    configuration: declared(configMap(names.configuration, plan, { [frpsFile]: frpsToml() })),
    metrics: declared(secret(names.metrics, plan, { [metricsPasswordKey]: metricsPassword })),
    units: declared(frpUnits(plan)),
    network: declared(frpNetworkPolicy(plan)),
    certificate:
      certificateFiles &&
      declared(secret(names.certificate, plan, certificateFiles, { type: "kubernetes.io/tls" })),
  };
  const workload = frpsDeployment(
    plan,
    whenKnown(caBundle, (pem) => hashOf(pem)),
  );
  const isOutside = connectTls === undefined || plan.exposeServerPort;
  return {
    namespace: plan.createNamespace && declared(namespaceManifest(plan)),
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
