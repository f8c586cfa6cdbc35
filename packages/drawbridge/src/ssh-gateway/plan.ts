import { clientLimitsSchema } from "../host/ways/client-limits.ts";
import { clientCaName } from "../istio/listeners.ts";
import { type Known, whenKnown } from "../kit/input.ts";
import { planPod } from "../kubernetes/args.ts";
import { replicasOf } from "../kubernetes/autoscaling.ts";
import { objectLabels, selectorLabels } from "../kubernetes/labels.ts";
import { joinName } from "../kubernetes/names.ts";
import { podResources } from "../kubernetes/resources.ts";
import { defaultResources, type SshGatewayParsed } from "./args.ts";
import { IssuerKind } from "./args-listeners.ts";

/** The TLS listener's certificate and, with a client CA, whom it lets in. */
export type TlsPlan = ReturnType<typeof planTls>;

/** A gateway with every default, name and port decided. */
export type SshGatewayPlan = ReturnType<typeof planSshGateway>;

/** One whose names are known. */
export type KnownSshGatewayPlan = Known<SshGatewayPlan, "namespace" | "domain" | "podLabels">;

/** @param logicalName the component's name, the default for the objects' name */
export function planSshGateway(logicalName: string, args: SshGatewayParsed) {
  const name = args.name ?? logicalName;
  const { plain, tls } = args.listeners;
  return {
    ...args,
    ...planPod(args.pod),
    name,
    namespace: args.existing?.namespace ?? args.namespace ?? name,
    createNamespace: args.existing === undefined && (args.createNamespace ?? true),
    listeners: [
      ...(plain === undefined ? [] : [{ name: "plain", port: plain.port } as const]),
      ...(tls === undefined ? [] : [{ name: "tls", port: tls.port } as const]),
    ],
    tls: tls === undefined ? undefined : planTls(name, tls),
    resources: podResources(args.resources, defaultResources),
    // None on another's gateway, whose web sites they would count too.
    connectionLimits:
      args.existing === undefined ? (args.connectionLimits ?? clientLimitsSchema.parse({})) : undefined,
    replicas: replicasOf(args),
    labels: objectLabels("ssh-gateway", name),
    selector: args.existing?.selector ?? selectorLabels("ssh-gateway", name),
    // The drain window and a little to exit in.
    terminationGracePeriodSeconds:
      args.pod.terminationGracePeriodSeconds ?? whenKnown(args.drainSeconds, (seconds) => seconds + 30),
  };
}

function planTls(name: string, tls: NonNullable<SshGatewayParsed["listeners"]["tls"]>) {
  const { secretName = joinName(name, "tls"), issuer, issuerCaSecretName } = tls.certificate;
  return {
    ...tls,
    secretName,
    // Undefined for a certificate that is made elsewhere.
    issuer:
      issuerCaSecretName === undefined ? issuer : { name: joinName(name, "ca"), kind: IssuerKind.issuer },
    clientCaSecretName: clientCaName(secretName),
  };
}
