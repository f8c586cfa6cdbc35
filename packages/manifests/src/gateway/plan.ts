import { type ClientLimits, clientLimitsSchema } from "../common/client-limits.ts";
import { objectLabels, selectorLabels } from "../common/labels.ts";
import { joinName } from "../common/names.ts";
import type { Placed } from "../common/placed.ts";
import { type PodResources, podResources } from "../common/resources.ts";
import { clientCaName } from "../istio/listeners.ts";
import type { SshGatewayParsed } from "./args.ts";
import { IssuerKind } from "./args-listeners.ts";

type TlsParsed = NonNullable<SshGatewayParsed["listeners"]["tls"]>;
type IssuerParsed = NonNullable<TlsParsed["certificate"]["issuer"]>;

/** One port on which the gateway answers CONNECT. */
export interface Listener {
  readonly name: "plain" | "tls";
  readonly port: number;
}

/** The TLS listener's certificate and, with a client CA, whom it lets in. */
export interface TlsPlan extends TlsParsed {
  /** Secret with the server's certificate, in the gateway's namespace. */
  readonly secretName: Placed<string>;
  /** Who signs the certificate; undefined for one that is made elsewhere. */
  readonly issuer: IssuerParsed | undefined;
  /** Secret with the client CA. */
  readonly clientCaSecretName: Placed<string>;
}

/** A gateway with every default, name and port decided. */
export interface SshGatewayPlan
  extends Omit<SshGatewayParsed, "name" | "namespace" | "listeners" | "resources"> {
  readonly name: string;
  readonly namespace: Placed<string>;
  readonly createNamespace: boolean;
  readonly listeners: readonly Listener[];
  readonly tls: TlsPlan | undefined;
  readonly resources: PodResources;
  /** None on somebody else's gateway, whose web sites they would count too. */
  readonly connectionLimits: ClientLimits | undefined;
  readonly labels: Record<string, string>;
  /** Labels of the gateway's pods: ours, or those of the existing gateway. */
  readonly selector: Record<string, string>;
  /** Seconds the pod may take to stop: the drain window and a little to exit in. */
  readonly terminationGracePeriodSeconds: number;
}

const defaultResources = {
  requests: { cpu: "100m", memory: "256Mi" },
  limits: { memory: "1Gi" },
} as const;

/** One whose names are known. */
export interface KnownSshGatewayPlan extends SshGatewayPlan {
  readonly namespace: string;
  readonly domain: string;
  readonly podLabels: Readonly<Record<string, string>>;
}

/** @param logicalName the component's name, the default for the objects' name */
export function planSshGateway(logicalName: string, args: SshGatewayParsed): SshGatewayPlan {
  const name = args.name ?? logicalName;
  const { plain, tls } = args.listeners;
  return {
    ...args,
    name,
    namespace: args.existing?.namespace ?? args.namespace ?? name,
    createNamespace: args.existing === undefined && (args.createNamespace ?? true),
    listeners: [
      ...(plain === undefined ? [] : [{ name: "plain", port: plain.port } as const]),
      ...(tls === undefined ? [] : [{ name: "tls", port: tls.port } as const]),
    ],
    tls: tls === undefined ? undefined : planTls(name, tls),
    resources: podResources(args.resources, defaultResources),
    connectionLimits:
      args.existing === undefined ? (args.connectionLimits ?? clientLimitsSchema.parse({})) : undefined,
    replicas: args.autoscaling === undefined ? (args.replicas ?? 2) : undefined,
    labels: objectLabels("ssh-gateway", name),
    selector: args.existing?.selector ?? selectorLabels("ssh-gateway", name),
    terminationGracePeriodSeconds: args.terminationGracePeriodSeconds ?? args.drainSeconds + 30,
  };
}

function planTls(name: string, tls: TlsParsed): TlsPlan {
  const { secretName = joinName(name, "tls"), issuer, issuerCaSecretName } = tls.certificate;
  return {
    ...tls,
    secretName,
    issuer:
      issuerCaSecretName === undefined ? issuer : { name: joinName(name, "ca"), kind: IssuerKind.issuer },
    clientCaSecretName: clientCaName(secretName),
  };
}
