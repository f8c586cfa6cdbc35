import type { Manifest } from "../common/manifest.ts";
import type { Placed } from "../common/placed.ts";
import { frpsFile, frpsToml, metricsPasswordKey } from "./frps-toml.ts";
import type { FrpServerPlan } from "./plan.ts";
import type { ServerCertificate } from "./server-certificate.ts";

const metadata = (plan: FrpServerPlan, name: Placed<string>) => ({
  name,
  namespace: plan.namespace,
  labels: plan.labels,
});

export function frpsConfiguration(plan: FrpServerPlan): Manifest<"ConfigMap"> {
  return {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: metadata(plan, plan.names.configuration),
    data: { [frpsFile]: frpsToml() },
  };
}

/** @param password secret: opens dashboard and metrics */
export function frpsMetricsSecret(plan: FrpServerPlan, password: Placed<string>): Manifest<"Secret"> {
  return {
    apiVersion: "v1",
    kind: "Secret",
    metadata: metadata(plan, plan.names.metrics),
    type: "Opaque",
    stringData: { [metricsPasswordKey]: password },
  };
}

/** frps's own certificate, of the same shape as one of cert-manager's. */
export function frpsCertificate(
  plan: FrpServerPlan,
  certificate: { readonly [Part in keyof ServerCertificate]: Placed<string> },
): Manifest<"Secret"> {
  return {
    apiVersion: "v1",
    kind: "Secret",
    metadata: metadata(plan, plan.names.certificate),
    type: "kubernetes.io/tls",
    stringData: {
      "ca.crt": certificate.caBundle,
      "tls.crt": certificate.certificate,
      "tls.key": certificate.privateKey,
    },
  };
}
