/** The server's certificate, the CA of the clients, and the proxy's right to read both. */

import { type Input, same, text } from "../kit/input.ts";
import { secret } from "../kubernetes/data.ts";
import { type Manifest, metadataOf } from "../kubernetes/manifest.ts";
import { role, roleBinding, serviceAccountSubject } from "../kubernetes/rbac.ts";
import { IssuerKind } from "./args-listeners.ts";
import type { SshGatewayPlan, TlsPlan } from "./plan.ts";

const issuerGroup = "cert-manager.io";
const apiVersion = `${issuerGroup}/v1` as const;

/** An issuer of the gateway's own, which signs with a CA that lies in a Secret beside it. */
export function gatewayIssuer(
  plan: SshGatewayPlan,
  issuer: NonNullable<TlsPlan["issuer"]>,
  issuerCaSecretName: Input<string>,
): Manifest<"Issuer"> {
  return {
    apiVersion,
    kind: IssuerKind.issuer,
    metadata: metadataOf(issuer.name, plan),
    spec: { ca: { secretName: issuerCaSecretName } },
  };
}

/** The server's certificate from cert-manager, for every name below the domain. */
export function gatewayCertificate(
  plan: SshGatewayPlan,
  tls: TlsPlan,
  issuer: NonNullable<TlsPlan["issuer"]>,
): Manifest<"Certificate"> {
  return {
    apiVersion,
    kind: "Certificate",
    metadata: metadataOf(tls.secretName, plan),
    spec: {
      secretName: tls.secretName,
      dnsNames: namesOf(plan, tls),
      issuerRef: { group: issuerGroup, ...issuer },
      privateKey: { algorithm: "ECDSA", size: 256, rotationPolicy: "Always" },
      usages: ["digital signature", "server auth"],
    },
  };
}

/** The certificate's names, each once as far as that is known. */
function namesOf({ domain, dnsName }: SshGatewayPlan, { certificate }: TlsPlan): Input<string>[] {
  const names = [text`*.${domain}`, ...(dnsName === undefined ? [] : [dnsName]), ...certificate.dnsNames];
  return names.filter((name, index) => !names.slice(0, index).some((other) => same(name, other)));
}

/** The CA of the clients. */
export function clientCaSecret(
  plan: SshGatewayPlan,
  tls: TlsPlan,
  clientCa: Input<string>,
): Manifest<"Secret"> {
  return secret(tls.clientCaSecretName, plan, { "ca.crt": clientCa });
}

/**
 * istiod hands the certificate's Secret only to a proxy whose own account may list the Secrets of the
 * namespace; it asks without a name, so a rule limited by resourceNames would not do.
 */
export function certificateReaderRole(plan: SshGatewayPlan): Manifest<"Role"> {
  const rule = { apiGroups: [""], resources: ["secrets"], verbs: ["get", "watch", "list"] };
  return role(metadataOf(plan.name, plan), [rule]);
}

export function certificateReaderBinding(plan: SshGatewayPlan): Manifest<"RoleBinding"> {
  return roleBinding(metadataOf(plan.name, plan), [serviceAccountSubject(plan.name, plan.namespace)]);
}
