import type { Manifest } from "../common/manifest.ts";
import type { Placed } from "../common/placed.ts";
import { frpsFile } from "./frps-toml.ts";
import type { FrpServerPlan } from "./plan.ts";
import type { ServerCertificate } from "./server-certificate.ts";

/** @param toml secret: frps.toml, which holds the metrics password */
export function frpsConfiguration(plan: FrpServerPlan, toml: Placed<string>): Manifest<"Secret"> {
  return {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: plan.names.configuration, namespace: plan.namespace, labels: plan.labels },
    type: "Opaque",
    stringData: { [frpsFile]: toml },
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
    metadata: { name: plan.names.certificate, namespace: plan.namespace, labels: plan.labels },
    type: "kubernetes.io/tls",
    stringData: {
      "ca.crt": certificate.caBundle,
      "tls.crt": certificate.certificate,
      "tls.key": certificate.privateKey,
    },
  };
}
