/** The arguments of StorageProxy. */
import { z } from "zod";
import { checkPodMetadata } from "../istio/data-plane.ts";
import { arg, group } from "../kit/arg.ts";
import { orLogicalName } from "../kit/default-name.ts";

import { another, judgedBy, leftOut, networks } from "../kit/guard.ts";
import { across, input } from "../kit/schema.ts";
import { whole } from "../kit/shapes.ts";
import {
  createNamespace,
  imagePullPolicy,
  nameOfObjects,
  namespaceInput,
  podArg,
} from "../kubernetes/args.ts";
import { loadBalancerSchema } from "../kubernetes/load-balancer.ts";
import { checkResources, resourcesArg } from "../kubernetes/resources.ts";
import { schedulingSchema } from "../kubernetes/scheduling.ts";
import { cidr, dnsLabel, domainName, imageReference, port } from "../kubernetes/shapes.ts";

export const defaultResources = {
  requests: { cpu: "100m", memory: "128Mi" },
  limits: { memory: "512Mi" },
} as const;

/** Answers whether the proxy runs; the LoadBalancer does not lead here. */
export const healthPort = 15021;

const listenerPort = port.refine(
  (value) => value !== healthPort,
  "{{value}} is where the proxy answers whether it is ready; set another port",
);

const fields = group(
  "StorageProxyArgs",
  "Arguments of {@link StorageProxy}.",
  {
    name: nameOfObjects("proxy"),
    namespace: arg(
      orLogicalName(namespaceInput, "name"),
      "The proxy's own namespace, by which the storages' NetworkPolicies know it.",
      {
        effect: ["restart", "sessions", "opens", "closes"],
        default: "the proxy's name",
        guard: another("wall-removed"),
      },
    ),
    createNamespace,
    dnsName: arg(
      input(domainName).optional(),
      "DNS name of the LoadBalancer, announced to external-dns and part of the addresses; requests for other " +
        "names are then refused.",
      {
        default: "- the LoadBalancer's own, and any name is answered",
        example: '"files.example.com"',
        guard: leftOut("gateway-opened", "it answers whatever name it is called by"),
      },
    ),
    port: arg(input(listenerPort).optional(), "TCP port on the LoadBalancer and in the proxy.", {
      effect: ["restart", "opens", "closes"],
      default: "80, with tls 443",
      guard: "daily",
    }),
    tls: arg(
      group("StorageProxyTlsArgs", "The proxy's certificate.", {
        secretName: arg(
          input(dnsLabel),
          "Name of a `kubernetes.io/tls` Secret in the proxy's namespace; a renewed one is taken up without " +
            "a restart.",
        ),
      }).optional(),
      "Serves HTTPS. Without it, passwords cross the network in clear text.",
      {
        effect: ["restart", "opens", "closes"],
        guard: leftOut("gateway-opened", "passwords and files go in clear text"),
      },
    ),
    loadBalancer: arg(loadBalancerSchema, "The proxy's own LoadBalancer."),
    replicas: arg(input(whole(1, 100, "replicas")).default(2), "How many proxies run.", { effect: [] }),
    drainSeconds: arg(
      input(whole(1, 24 * 3600, "seconds")).default(60),
      "Seconds a stopping proxy keeps its downloads. A pod that stops takes this long.",
    ),
    image: arg(input(imageReference).optional(), "The proxy's image, with `/usr/local/bin/envoy` in it.", {
      default: "- Envoy's own release",
      effect: ["restart", "opens"],
      guard: judgedBy("elsewhere", "cluster-rights"),
    }),
    imagePullPolicy,
    resources: resourcesArg("CPU and memory of one proxy.", defaultResources),
    scheduling: arg(schedulingSchema, "Which nodes the proxies run on."),
    pod: podArg,
    egress: arg(
      group(
        "StorageProxyEgressArgs",
        "Further networks that a proxy's pods may reach, in CIDR notation. Each opens these ports of its " +
          "hosts to the proxy.",
        {
          dns: arg(
            z.array(input(cidr)).default([]),
            "Where DNS answers, on port 53, besides the pods `k8s-app: kube-dns` in `kube-system` and " +
              "NodeLocal DNSCache.",
            {
              default: "- none",
              example: '["10.0.0.10/32"]',
              guard: networks("network-wall", { ports: [53] }),
            },
          ),
        },
      ).prefault({}),
      "What the proxy's pods may reach besides file servers, where DNS is not in its usual place.",
      { effect: ["opens"] },
    ),
  },
  { effect: ["restart"] },
);

export const storageProxySchema = across(fields, (args, fault) => {
  checkResources(["resources"], args.resources, fault);
  checkPodMetadata(args.pod, fault);
});

export type StorageProxyInput = z.input<typeof storageProxySchema>;
export type StorageProxyParsed = z.output<typeof storageProxySchema>;
