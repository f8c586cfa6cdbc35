/** The arguments of FrpServer. */

import { z } from "zod";
import { frpClientLimitsSchema } from "../host/ways/client-limits.ts";
import { frpImage, pemCertificates, secretText, sha256Hex } from "../host/ways/frp-shapes.ts";
import { checkPodMetadata } from "../istio/data-plane.ts";
import { arg, group, offByDefault, PlainReason, plainOffByDefault, plainOnByDefault } from "../kit/arg.ts";
import { orLogicalName } from "../kit/default-name.ts";
import { ifMissing } from "../kit/fault.ts";
import { another, crossing, judgedBy, leftOut, networks } from "../kit/guard.ts";
import { known, same } from "../kit/input.ts";
import { across, input, inputList, type RaiseFault, secret } from "../kit/schema.ts";

import {
  apiServerNetwork,
  createNamespace,
  imagePullPolicyOf,
  nameOfObjects,
  namespaceInput,
  podArg,
} from "../kubernetes/args.ts";
import { publicImages } from "../kubernetes/images.ts";
import { loadBalancerSchema, missingLoadBalancer } from "../kubernetes/load-balancer.ts";
import { checkResources, resourcesArg } from "../kubernetes/resources.ts";
import { schedulingSchema } from "../kubernetes/scheduling.ts";
import { dnsLabel, domainName, imageReference, labelMap, port, serviceName } from "../kubernetes/shapes.ts";

const noApiServer =
  'is missing; say where the API server is, the only thing that frps may reach: egress: { apiServer: [{ cidr: "192.0.2.10/32" }] } (kubectl get endpoints kubernetes). "0.0.0.0/0" opens ports 443 and 6443 of every address; an empty list is enough where containers names every one';

const unit = group(
  "FrpServerContainerArgs",
  "What the platform says of one container.",
  {
    namespace: arg(namespaceInput, "The container's namespace."),
    name: arg(input(serviceName), "The container's name."),
    tokenSha256: arg(
      input(sha256Hex).optional(),
      "SHA-256 of its token, for a container in another cluster.",
      {
        effect: ["opens"],
        default: "- looked up in the container's namespace",
      },
    ),
    domains: arg(
      inputList(domainName).default([]),
      "Names below the server's domain that are reserved for it, besides its own name.",
    ),
    revoked: offByDefault("Whether it is shut out, whatever its own namespace grants.", {
      effect: ["closes"],
    }),
  },
  { effect: ["opens", "closes"] },
);

export const frpsResources = {
  requests: { cpu: "100m", memory: "64Mi" },
  limits: { memory: "512Mi" },
} as const;
export const authorizerResources = {
  requests: { cpu: "10m", memory: "64Mi" },
  limits: { memory: "256Mi" },
} as const;

export const frpServerSchema = across(
  group(
    "FrpServerArgs",
    "Arguments of {@link FrpServer}.",
    {
      name: nameOfObjects("server"),
      namespace: arg(
        orLogicalName(namespaceInput, "name"),
        "The server's own namespace: anyone who can read its Secrets could pose as the server.",
        {
          effect: ["restart", "sessions", "opens", "closes"],
          default: "the server's name",
          guard: another("wall-removed"),
        },
      ),
      createNamespace,
      domain: arg(
        input(domainName),
        "Containers are called `<name>.<namespace>.<domain>`. It needs no public DNS record of its " +
          "own; clients hand the name to frps.",
        { effect: [], example: '"ssh.example.com"' },
      ),
      seed: arg(
        secret(secretText),
        "A secret of the stack, at least 32 characters, from which frps's CA, its certificate and the " +
          "password of its metrics are derived.",
      ),
      serverPort: arg(input(port).default(7000), "Port for frpc, inside the cluster.", {
        effect: ["opens", "closes"],
        guard: "daily",
      }),
      connectPort: arg(input(port).default(1337), "Port for ssh clients, on the LoadBalancer.", {
        effect: ["opens", "closes"],
        guard: "daily",
      }),
      exposeServerPort: plainOffByDefault(
        PlainReason.resources,
        "Whether the LoadBalancer has the port for frpc too, for containers in other clusters. Name them " +
          "in `containers`.",
        { effect: ["opens"], guard: crossing("network-wall", { when: true }) },
      ),
      tls: arg(
        group("FrpServerTlsArgs", "A certificate of your own.", {
          secretName: arg(
            input(dnsLabel),
            "Secret with `tls.crt` and `tls.key` in the server's namespace. It must hold the name of the " +
              "server's Service.",
            { effect: ["restart", "opens", "closes"], guard: "daily" },
          ),
          caBundle: arg(input(pemCertificates), "The CA that signed it, in PEM.", { effect: ["restart"] }),
        }).optional(),
        "A certificate of your own, for example one that cert-manager renews. frps reads it at start, so " +
          "restart the Deployment after a renewal.",
        { default: "- a certificate for 30 years from a CA for this server alone, both derived from `seed`" },
      ),
      connectTls: arg(
        group(
          "FrpServerConnectTlsArgs",
          "A listener of an Istio gateway for ssh clients.",
          {
            dnsName: arg(
              input(domainName),
              "Name on the certificate, by which ssh clients reach the gateway: it needs a DNS record to the " +
                "gateway's address.",
              { example: '"frp.example.com"' },
            ),
            port: arg(
              input(port).default(443),
              "Port of the gateway. It may be that of the gateway's web sites, since TLS clients send the name.",
            ),
            secretName: arg(
              input(dnsLabel),
              "TLS Secret in the gateway's namespace, such as one of cert-manager's.",
              { effect: [] },
            ),
            gateway: arg(
              group("FrpServerConnectGatewayArgs", "An Istio gateway of the cluster.", {
                namespace: arg(input(dnsLabel), "The namespace of its pods."),
                selector: arg(labelMap, "Labels of its pods.", {
                  example: '{ istio: "ingressgateway" }',
                }),
              }),
              "The gateway, which someone runs already.",
              { guard: another("network-wall") },
            ),
          },
          { effect: ["opens", "closes"] },
        ).optional(),
        "TLS in front of the CONNECT port, which hides the containers' names on the way. An Istio gateway " +
          "that the cluster has ends it; ssh clients then have no other address, and only that gateway " +
          "reaches the CONNECT port.",
        {
          default: "- the CONNECT port is in clear text, on a LoadBalancer of its own",
          guard: leftOut("gateway-opened", "anyone its LoadBalancer lets in reaches frps, in clear text"),
        },
      ),
      loadBalancer: arg(
        loadBalancerSchema.optional(),
        "The LoadBalancer for ssh clients, and for frpc with `exposeServerPort`. Needed unless there is none.",
      ),
      containers: arg(
        z.array(unit).default([]),
        "What the platform says of single containers. The others need not be named.",
        { guard: "daily" },
      ),
      connectionLimits: arg(
        frpClientLimitsSchema.optional(),
        "How many connections one client address may open. A client that is over waits for its turn, " +
          "or is disconnected if that is more than a minute away: the authorizer refuses, and frps has no answer " +
          "for that. Not with `connectTls`, where frps sees the gateway's address alone.",
        { effect: [] },
      ),
      egress: arg(
        group(
          "FrpServerEgressArgs",
          "What the pod of frps and authorizer may reach: the API server, and nothing else.",
          {
            apiServer: arg(
              z.array(apiServerNetwork("FrpServerApiServerArgs"), { error: ifMissing(noApiServer) }),
              "Where the API server is, as seen behind its Service (`kubectl get endpoints kubernetes`); an " +
                "empty list for a server whose containers are all in `containers`. `0.0.0.0/0` lets frps reach ports " +
                "443 and 6443 of every address.",
              {
                example: '[{ cidr: "192.0.2.10/32" }]',
                guard: networks("network-wall", { ports: [443, 6443] }),
              },
            ),
          },
          { missing: noApiServer },
        ),
        "What the server's pod may reach.",
      ),
      metricsNamespaces: arg(
        z.array(input(dnsLabel)).default([]),
        "Namespaces whose pods may reach the metrics of frps (port 7500, with a password) and of the " +
          "authorizer (7502).",
        { effect: ["opens"], default: "- none", guard: crossing("network-wall") },
      ),
      image: arg(input(frpImage).default(publicImages.frps), "The image of frps, version 0.70.1 or later.", {
        effect: ["restart", "opens"],
        guard: judgedBy("elsewhere", "cluster-rights"),
      }),
      authorizer: arg(
        group("FrpServerAuthorizerArgs", "The authorizer of a {@link FrpServer}.", {
          image: arg(input(imageReference), "Its image, built with `packages/images/build.sh programs`.", {
            effect: ["restart", "opens"],
            guard: judgedBy("elsewhere", "cluster-rights"),
          }),
          resources: resourcesArg("Its CPU and memory.", authorizerResources),
        }),
        "The program beside frps that decides which container may register which name.",
      ),
      imagePullPolicy: imagePullPolicyOf("the images"),
      resources: resourcesArg("CPU and memory of frps.", frpsResources),
      scheduling: arg(schedulingSchema, "Which nodes the pod runs on."),
      pod: podArg,
      wait: plainOnByDefault(PlainReason.option, "Whether `pulumi up` waits until frps is ready.", {
        effect: [],
      }),
    },
    { effect: ["restart"] },
  ),
  (args, fault, { isGiven }) => {
    if (same(args.connectPort, args.serverPort)) {
      fault`connectPort: is ${known(args.connectPort)}, the same as serverPort; frpc and ssh clients need a port each`;
    }
    if (args.connectTls !== undefined && Object.keys(args.connectTls.gateway?.selector ?? {}).length === 0) {
      fault`connectTls.gateway.selector: is empty and would select every Istio gateway; set the labels of its pods, like { istio: "ingressgateway" }`;
    }
    if (args.connectTls !== undefined && args.connectionLimits !== undefined) {
      fault`connectionLimits: has no effect with connectTls: frps then sees only the gateway's address, and all clients would share one limit; remove one of the two`;
    }
    // With TLS a gateway stands in front of the CONNECT port, and only frpc's may still need an address of its own.
    const needsLoadBalancer = !isGiven("connectTls") || args.exposeServerPort === true;
    if (needsLoadBalancer && !isGiven("loadBalancer")) missingLoadBalancer(fault);
    checkResources(["resources"], args.resources, fault);
    checkPodMetadata(args.pod, fault);
    checkResources(["authorizer", "resources"], args.authorizer?.resources, fault);
    checkUnits(args.containers ?? [], known(args.domain), fault);
  },
);

type Unit = z.output<typeof unit>;

/** Each unit once, each reserved domain once and below the suffix. */
function checkUnits(units: readonly Partial<Unit>[], suffix: string | undefined, fault: RaiseFault): void {
  const identities = new Map<string, number>();
  const domains = new Map<string, string>();
  for (const [index, { namespace, name, domains: reserved = [] }] of units.entries()) {
    const [inNamespace, called] = [known(namespace), known(name)];
    const identity =
      inNamespace === undefined || called === undefined ? `containers[${index}]` : `${inNamespace}/${called}`;
    const first = identities.get(identity);
    if (first !== undefined)
      fault`containers[${index}]: ${identity} is in containers[${first}] already; list each container once`;
    identities.set(identity, first ?? index);
    for (const [at, given] of (known(reserved) ?? []).entries()) {
      const domain = known(given);
      if (domain === undefined) continue;
      const path = ["containers", index, "domains", at];
      const owner = domains.get(domain);
      if (owner !== undefined)
        fault`${path}: "${domain}" is reserved for ${owner} already; a name has one owner`;
      domains.set(domain, owner ?? identity);
      if (suffix !== undefined && !domain.endsWith(`.${suffix}`)) {
        fault`${path}: "${domain}" is outside the domain of frps; set a name that ends in ".${suffix}"`;
      }
    }
  }
}

export type FrpServerParsed = z.output<typeof frpServerSchema>;
