/** The zod schema of SshGateway's arguments; the documented interfaces are in the components package. */
import { z } from "zod";
import { apiServerNetwork } from "../common/api-server.ts";
import { showValue } from "../common/args-error.ts";
import { clientLimitsSchema } from "../common/client-limits.ts";
import { ImagePullPolicy } from "../common/image.ts";
import { loadBalancerSchema } from "../common/load-balancer.ts";
import { podMetadata } from "../common/pod-metadata.ts";
import { resourcesSchema } from "../common/resources.ts";
import { schedulingSchema } from "../common/scheduling.ts";
import { across, oneOf, placed, strict } from "../common/schema.ts";
import {
  cidr,
  dnsLabel,
  domainName,
  hostOrAddress,
  imageReference,
  port,
  serviceName,
  stringMap,
  whole,
} from "../common/shapes.ts";
import { checkGateway } from "./args-checks.ts";
import { gatewayIdleSchema } from "./idle-args.ts";

/** Where cert-manager looks for an issuer. */
export const IssuerKind = { issuer: "Issuer", clusterIssuer: "ClusterIssuer" } as const;
export type IssuerKind = (typeof IssuerKind)[keyof typeof IssuerKind];

/** `auto` leaves the choice to Istio's injection. */
const proxyImage = z.string().refine((value) => value === "auto" || imageReference.safeParse(value).success, {
  error: (issue) =>
    `${showValue(issue.input)} is neither "auto" nor a pinned image; add a tag other than "latest" or a digest`,
});

/** A client certificate's URI subject alternative name. */
export const identity = z
  .string()
  .refine((value) => /^spiffe:\/\/[a-z0-9._-]+(\/[A-Za-z0-9._-]+)+$/.test(value), {
    error: (issue) =>
      `${showValue(issue.input)} is not a client identity; write the certificate's URI name like "spiffe://example.com/user/alice"`,
  });

const pemCertificates = z.string().refine((value) => /^-----BEGIN CERTIFICATE-----/m.test(value), {
  error: () => "holds no certificate; give the CA as PEM text (-----BEGIN CERTIFICATE-----)",
});

/** A name in the server's certificate; one label may be left open. */
const certificateName = z
  .string()
  .refine((value) => domainName.safeParse(value.replace(/^\*\./, "")).success, {
    error: (issue) =>
      `${showValue(issue.input)} is not a name for a certificate; write it like "ssh.example.com" or "*.example.com"`,
  });

const tlsListener = strict({
  port: port.default(443),
  certificate: strict({
    secretName: placed(dnsLabel).optional(),
    issuer: strict({ name: placed(dnsLabel), kind: oneOf(IssuerKind).default("ClusterIssuer") }).optional(),
    caSecretName: placed(dnsLabel).optional(),
    dnsNames: z.array(certificateName).default([]),
    caBundle: placed(pemCertificates).optional(),
  }),
  clientCa: placed(pemCertificates).optional(),
});

export const sshGatewaySchema = across(
  strict({
    name: serviceName.optional(),
    namespace: dnsLabel.optional(),
    createNamespace: z.boolean().optional(),
    domain: domainName,
    dnsName: domainName.optional(),
    listeners: strict({
      plain: strict({ port: port.default(80) }).optional(),
      tls: tlsListener.optional(),
    }).default({ plain: { port: 80 } }),
    allow: strict({ identities: z.array(identity).default([]) }).prefault({}),
    limits: clientLimitsSchema.optional(),
    loadBalancer: loadBalancerSchema.optional(),
    replicas: whole(1, 100, "replicas").optional(),
    autoscaling: strict({
      minimum: whole(1, 100, "replicas").default(2),
      maximum: whole(1, 100, "replicas"),
      cpuPercent: whole(1, 100, "percent").default(70),
    }).optional(),
    drainSeconds: whole(1, 7 * 24 * 3600, "seconds").default(3600),
    terminationGraceSeconds: whole(1, 8 * 24 * 3600, "seconds").optional(),
    rejectEarlyData: z.boolean().default(true),
    audit: z.boolean().default(true),
    image: placed(proxyImage).default("auto"),
    imagePullPolicy: oneOf(ImagePullPolicy).default("IfNotPresent"),
    istioRevision: dnsLabel.optional(),
    resources: resourcesSchema,
    scheduling: schedulingSchema,
    ...podMetadata,
    admissionPolicy: z.boolean().default(true),
    egress: strict({
      dns: z.array(cidr).default([]),
      istiod: z.array(cidr).default([]),
      apiServer: z.array(apiServerNetwork).default([]),
    }).prefault({}),
    idle: gatewayIdleSchema,
    existing: strict({
      namespace: dnsLabel,
      selector: stringMap,
      address: placed(hostOrAddress).optional(),
    }).optional(),
  }),
  checkGateway,
);

export type SshGatewayInput = z.input<typeof sshGatewaySchema>;
export type SshGatewayParsed = z.output<typeof sshGatewaySchema>;
