/** The zod schema of FrpServer's arguments; the documented interfaces are in the components package. */
import { z } from "zod";
import { apiServerNetwork } from "../common/api-server.ts";
import { frpClientLimitsSchema } from "../common/client-limits.ts";
import { ImagePullPolicy } from "../common/image.ts";
import { loadBalancerSchema, missingLoadBalancer } from "../common/load-balancer.ts";
import { checkPodMetadata, podMetadata } from "../common/pod-metadata.ts";
import { checkResources, resourcesSchema } from "../common/resources.ts";
import { schedulingSchema } from "../common/scheduling.ts";
import { across, oneOf, placed, type RaiseFault, strict } from "../common/schema.ts";
import { dnsLabel, domainName, imageReference, port, serviceName, stringMap } from "../common/shapes.ts";
import { frpImage } from "./image.ts";
import { pemCertificates, secretText, sha256Hex } from "./shapes.ts";

const unit = strict({
  namespace: dnsLabel,
  name: serviceName,
  tokenSha256: sha256Hex.optional(),
  domains: z.array(domainName).default([]),
  revoked: z.boolean().default(false),
});

// No default: its address is known to the cluster alone, and its ports at every address are everybody's web servers.
const missingApiServer =
  'is missing; say where the API server is, which alone frps may reach: egress: { apiServer: [{ cidr: "192.0.2.10/32" }] } (kubectl get endpoints kubernetes). With "0.0.0.0/0" frps reaches ports 443 and 6443 of every address; an empty list is enough where units has every container';

export const frpServerSchema = across(
  strict({
    name: serviceName.optional(),
    namespace: dnsLabel.optional(),
    createNamespace: z.boolean().default(true),
    domainSuffix: domainName,
    seed: placed(secretText),
    serverPort: port.default(7000),
    connectPort: port.default(1337),
    exposeServerPort: z.boolean().default(false),
    tls: strict({ secretName: placed(dnsLabel), caBundle: placed(pemCertificates) }).optional(),
    connectTls: strict({
      host: domainName,
      port: port.default(443),
      secretName: placed(dnsLabel),
      gateway: strict({ namespace: dnsLabel, selector: stringMap }),
    }).optional(),
    loadBalancer: loadBalancerSchema.optional(),
    units: z.array(unit).default([]),
    limits: frpClientLimitsSchema.optional(),
    egress: strict(
      {
        apiServer: z.array(apiServerNetwork, {
          error: ({ input }) => (input === undefined ? missingApiServer : undefined),
        }),
      },
      missingApiServer,
    ),
    metricsNamespaces: z.array(dnsLabel).default([]),
    image: placed(frpImage).default("fatedier/frps:v0.70.1"),
    authorizer: strict({ image: placed(imageReference), resources: resourcesSchema }),
    imagePullPolicy: oneOf(ImagePullPolicy).default("IfNotPresent"),
    resources: resourcesSchema,
    scheduling: schedulingSchema,
    ...podMetadata,
    wait: z.boolean().default(true),
  }),
  (args, fault, { isGiven }) => {
    if (args.connectPort !== undefined && args.connectPort === args.serverPort) {
      fault(
        ["connectPort"],
        `is ${args.connectPort}, the same as serverPort; frpc and ssh clients need a port each`,
      );
    }
    if (args.connectTls !== undefined && Object.keys(args.connectTls.gateway?.selector ?? {}).length === 0) {
      fault(
        ["connectTls", "gateway", "selector"],
        'is empty and would choose every Istio gateway; give the labels of its pods, like { istio: "ingressgateway" }',
      );
    }
    if (args.connectTls !== undefined && args.limits !== undefined) {
      fault(
        ["limits"],
        "have no use with connectTls: frps then sees the gateway's address alone, and all clients would be one; remove one of the two",
      );
    }
    // With TLS a gateway stands in front of the CONNECT port, and only frpc's may still need an address of its own.
    const isOwn = !isGiven("connectTls") || args.exposeServerPort === true;
    if (isOwn && !isGiven("loadBalancer")) missingLoadBalancer(fault);
    checkResources(["resources"], args.resources, fault);
    checkPodMetadata(args, fault);
    checkResources(["authorizer", "resources"], args.authorizer?.resources, fault);
    checkUnits(args.units ?? [], args.domainSuffix, fault);
  },
);

type Unit = z.output<typeof unit>;

/** Each unit once, each reserved domain once and below the suffix. */
function checkUnits(units: readonly Partial<Unit>[], suffix: string | undefined, fault: RaiseFault): void {
  const identities = new Map<string, number>();
  const domains = new Map<string, string>();
  for (const [index, { namespace, name, domains: reserved }] of units.entries()) {
    const identity = `${namespace}/${name}`;
    const first = identities.get(identity);
    if (first !== undefined) {
      fault(["units", index], `is ${identity} again, like units[${first}]; name each unit once`);
    }
    identities.set(identity, first ?? index);
    for (const [at, domain] of (Array.isArray(reserved) ? reserved : []).entries()) {
      const path = ["units", index, "domains", at];
      const owner = domains.get(domain);
      if (owner !== undefined)
        fault(path, `"${domain}" is reserved for ${owner} already; a name has one owner`);
      domains.set(domain, owner ?? identity);
      if (suffix !== undefined && !domain.endsWith(`.${suffix}`)) {
        fault(path, `"${domain}" is outside domainSuffix; give a name that ends in ".${suffix}"`);
      }
    }
  }
}

export type FrpServerInput = z.input<typeof frpServerSchema>;
export type FrpServerParsed = z.output<typeof frpServerSchema>;
