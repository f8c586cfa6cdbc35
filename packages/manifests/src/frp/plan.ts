import { objectLabels, selectorLabels } from "../common/labels.ts";
import { internalName, joinName } from "../common/names.ts";
import { type Placed, text } from "../common/placed.ts";
import { type PodResources, podResources } from "../common/resources.ts";
import type { FrpServerParsed } from "./args.ts";

/** Where frps and the authorizer listen inside their pod; the Services' ports may be others. */
export const frpsPorts = {
  server: 7000,
  connect: 1337,
  metrics: 7500,
  /** On loopback only: frps asks, nobody else. */
  authorizer: 7501,
  authorizerMetrics: 7502,
} as const;

/** Physical names of a server's objects. */
export interface FrpServerNames {
  readonly workload: string;
  /** Service inside the cluster, for frpc. */
  readonly service: string;
  /** LoadBalancer for ssh clients, or with `connectTls` the gateway's listener and route for them. */
  readonly connect: string;
  /** ConfigMap with frps.toml. */
  readonly configuration: string;
  /** Secret with the password of the metrics. */
  readonly metrics: string;
  /** Secret with frps's certificate and key. */
  readonly certificate: Placed<string>;
  /** ConfigMap with what the authorizer knows of single containers. */
  readonly units: string;
  readonly serviceAccount: string;
}

/** TLS in front of the CONNECT port. */
export type FrpServerConnectTls = NonNullable<FrpServerParsed["connectTls"]>;

const frpsResources = { requests: { cpu: "100m", memory: "64Mi" }, limits: { memory: "512Mi" } } as const;
const authorizerResources = {
  requests: { cpu: "10m", memory: "64Mi" },
  limits: { memory: "256Mi" },
} as const;

/** An frp server with every default, name and port decided. */
export interface FrpServerPlan
  extends Omit<FrpServerParsed, "name" | "namespace" | "resources" | "authorizer"> {
  readonly name: string;
  readonly namespace: Placed<string>;
  readonly names: FrpServerNames;
  readonly resources: PodResources;
  readonly authorizer: { readonly image: Placed<string>; readonly resources: PodResources };
  readonly labels: Record<string, string>;
  readonly selector: Record<string, string>;
  /** What its secrets are derived for. */
  readonly identity: Placed<string>;
  /** The name by which frpc reaches frps and which its certificate holds. */
  readonly serverAddr: Placed<string>;
}

/** @param logicalName the component's name, the default for the objects' name */
export function planFrpServer(logicalName: string, args: FrpServerParsed): FrpServerPlan {
  const name = args.name ?? logicalName;
  const namespace = args.namespace ?? name;
  return {
    ...args,
    name,
    namespace,
    names: {
      workload: name,
      service: name,
      connect: joinName(name, "connect"),
      configuration: joinName(name, "frps"),
      metrics: joinName(name, "metrics"),
      certificate: args.tls?.secretName ?? joinName(name, "tls"),
      units: joinName(name, "units"),
      serviceAccount: name,
    },
    resources: podResources(args.resources, frpsResources),
    authorizer: {
      image: args.authorizer.image,
      resources: podResources(args.authorizer.resources, authorizerResources),
    },
    labels: objectLabels("frp-server", name),
    selector: selectorLabels("frp-server", name),
    identity: text`${namespace}/${name}`,
    serverAddr: internalName(name, namespace),
  };
}

/** Every DNS name of the Service that frpc may use; the certificate is valid for them. */
export function certificateNames(plan: FrpServerPlan): Placed<string>[] {
  const short = text`${plan.names.service}.${plan.namespace}`;
  return [plan.serverAddr, text`${short}.svc`, short];
}
