import { ed25519Key } from "../common/crypto.ts";
import { certificatePem } from "./certificate.ts";
import { deriveCertificateKey } from "./secrets.ts";

/** frps's certificate and the CA that frpc checks it against. */
export interface ServerCertificate {
  /** PEM; public. */
  readonly caBundle: string;
  /** PEM; public. */
  readonly certificate: string;
  /** PEM (PKCS8); secret. */
  readonly privateKey: string;
}

// Fixed, because a date taken at preview would change the certificate at every preview. The CA signs for this
// one server only; whoever wants short-lived certificates gives `tls` with a Secret that cert-manager renews.
const notBefore = new Date("2026-01-01T00:00:00Z");
const notAfter = new Date("2056-01-01T00:00:00Z");

/**
 * @param seed secret of the stack
 * @param server `<namespace>/<name>` of the FrpServer
 * @param names DNS names under which frpc reaches frps
 */
export function deriveServerCertificate(
  seed: string,
  server: string,
  names: readonly string[],
): ServerCertificate {
  const ca = ed25519Key(deriveCertificateKey(seed, server, "ca"));
  const key = ed25519Key(deriveCertificateKey(seed, server, "server"));
  const issuer = "drawbridge frp CA";
  const validity = { notBefore, notAfter };
  return {
    caBundle: certificatePem({ subject: issuer, issuer, names: [], ca: true, ...validity }, ca, ca),
    certificate: certificatePem({ subject: "frps", issuer, names, ca: false, ...validity }, key, ca),
    privateKey: key.export({ format: "pem", type: "pkcs8" }) as string,
  };
}
