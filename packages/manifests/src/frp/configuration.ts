import type { Manifest } from "../common/manifest.ts";
import type { Placed } from "../common/placed.ts";
import { secret } from "../common/secret.ts";
import { frpsFile } from "./frps-toml.ts";
import type { FrpServerPlan } from "./plan.ts";
import type { ServerCertificate } from "./server-certificate.ts";

/** @param toml secret: frps.toml, which holds the metrics password */
export function frpsConfiguration(plan: FrpServerPlan, toml: Placed<string>): Manifest<"Secret"> {
  const { names, namespace, labels } = plan;
  return secret({ name: names.configuration, namespace, labels }, { [frpsFile]: toml });
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
