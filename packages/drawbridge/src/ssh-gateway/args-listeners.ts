/** The schema of a gateway's listeners and of their certificates. */
import { z } from "zod";
import { arg, group } from "../kit/arg.ts";

import { judgedBy } from "../kit/guard.ts";
import { input, oneOf } from "../kit/schema.ts";
import { matching } from "../kit/shapes.ts";
import { dnsLabel, domainName, port } from "../kubernetes/shapes.ts";

/** Where cert-manager looks for an issuer. */
export const IssuerKind = { issuer: "Issuer", clusterIssuer: "ClusterIssuer" } as const;
export type IssuerKind = (typeof IssuerKind)[keyof typeof IssuerKind];

const pemCertificates = matching(
  /^-----BEGIN CERTIFICATE-----/m,
  "holds no certificate; set the CA as PEM text (-----BEGIN CERTIFICATE-----)",
);

/** A name in the server's certificate; one label may be left open. */
const certificateName = z
  .string()
  .refine((value) => domainName.safeParse(value.replace(/^\*\./, "")).success, {
    error: '{{value}} is not a name for a certificate; write it like "ssh.example.com" or "*.example.com"',
  });

const tlsListener = group("SshGatewayTlsListenerArgs", "A CONNECT port inside TLS.", {
  port: arg(input(port).default(443), "TCP port on the LoadBalancer and in the proxy.", {
    effect: ["restart", "sessions", "opens", "closes"],
    guard: "daily",
  }),
  certificate: arg(
    group(
      "SshGatewayCertificateArgs",
      "Exactly one of `secretName`, `issuer` and `issuerCaSecretName`.",
      {
        secretName: arg(input(dnsLabel).optional(), "A TLS Secret in the gateway's namespace.", {
          effect: ["sessions"],
        }),
        issuer: arg(
          group("SshGatewayIssuerArgs", "A cert-manager issuer.", {
            name: arg(input(dnsLabel), "Its name."),
            kind: arg(input(oneOf(IssuerKind)).default("ClusterIssuer"), "Its kind."),
          }).optional(),
          "The cert-manager issuer that signs it. cert-manager must be installed.",
        ),
        issuerCaSecretName: arg(
          input(dnsLabel).optional(),
          "A Secret in the gateway's namespace with a CA's certificate and key (`tls.crt`, `tls.key`): an " +
            "Issuer of the gateway's own signs with it. cert-manager must be installed.",
        ),
        dnsNames: arg(
          z.array(input(certificateName)).default([]),
          "Names in the certificate besides `*.<domain>` and `dnsName`; not with `secretName`.",
        ),
        caBundle: arg(
          input(pemCertificates).optional(),
          "PEM text of the CA that signed it, to hand to clients as the gateway's `caBundle` output.",
        ),
      },
      { effect: [] },
    ),
    "The server's certificate.",
  ),
  clientCa: arg(
    input(pemCertificates).optional(),
    "PEM text of the CA whose client certificates are asked for (mutual TLS).",
    { effect: ["sessions", "closes"], guard: judgedBy("client-ca", "foreign-ca") },
  ),
});

export const listenersSchema = group("SshGatewayListenersArgs", "The ports of an {@link SshGateway}.", {
  plain: arg(
    group("SshGatewayPlainListenerArgs", "A CONNECT port in clear text.", {
      port: arg(input(port).default(80), "TCP port on the LoadBalancer and in the proxy."),
    }).optional(),
    "CONNECT in clear text. What it carries, SSH, is encrypted; the container's name is not.",
    {
      effect: ["restart", "sessions", "opens", "closes"],
      guard: judgedBy("plain-listener", "certificate-dropped"),
    },
  ),
  tls: arg(tlsListener.optional(), "CONNECT inside TLS, with client certificates if asked."),
}).default({ plain: { port: 80 } });
