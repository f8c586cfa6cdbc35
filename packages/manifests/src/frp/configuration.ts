import type { Manifest } from "../common/manifest.ts";
import type { Placed } from "../common/placed.ts";
import { secret } from "../common/secret.ts";
import { frpsFile, frpsToml, metricsPasswordKey } from "./frps-toml.ts";
import type { FrpServerPlan } from "./plan.ts";
import type { ServerCertificate } from "./server-certificate.ts";

export function frpsConfiguration({ names, namespace, labels }: FrpServerPlan): Manifest<"ConfigMap"> {
  return {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: names.configuration, namespace, labels },
    data: { [frpsFile]: frpsToml() },
  };
}

/** @param password secret: opens dashboard and metrics */
export function frpsMetricsSecret(plan: FrpServerPlan, password: Placed<string>): Manifest<"Secret"> {
  const { names, namespace, labels } = plan;
  return secret({ name: names.metrics, namespace, labels }, { [metricsPasswordKey]: password });
}

/** frps's own certificate, of the same shape as one of cert-manager's. */
export function frpsCertificate(
  plan: FrpServerPlan,
  certificate: { readonly [Part in keyof ServerCertificate]: Placed<string> },
): Manifest<"Secret"> {
  const { names, namespace, labels } = plan;
  const files = {
    "ca.crt": certificate.caBundle,
    "tls.crt": certificate.certificate,
    "tls.key": certificate.privateKey,
  };
  return secret({ name: names.certificate, namespace, labels }, files, "kubernetes.io/tls");
}
