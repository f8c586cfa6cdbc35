import { configMap, secret } from "../common/data.ts";
import type { Manifest } from "../common/manifest.ts";
import type { Placed } from "../common/placed.ts";
import { frpsFile, frpsToml, metricsPasswordKey } from "./frps-toml.ts";
import type { FrpServerPlan } from "./plan.ts";
import type { ServerCertificate } from "./server-certificate.ts";

export function frpsConfiguration(plan: FrpServerPlan): Manifest<"ConfigMap"> {
  return configMap(plan.names.configuration, plan, { [frpsFile]: frpsToml() });
}

/** @param password secret: opens dashboard and metrics */
export function frpsMetricsSecret(plan: FrpServerPlan, password: Placed<string>): Manifest<"Secret"> {
  return secret(plan.names.metrics, plan, { [metricsPasswordKey]: password });
}

/** frps's own certificate, of the same shape as one of cert-manager's. */
export function frpsCertificate(
  plan: FrpServerPlan,
  certificate: { readonly [Part in keyof ServerCertificate]: Placed<string> },
): Manifest<"Secret"> {
  const files = {
    "ca.crt": certificate.caBundle,
    "tls.crt": certificate.certificate,
    "tls.key": certificate.privateKey,
  };
  return secret(plan.names.certificate, plan, files, { type: "kubernetes.io/tls" });
}
