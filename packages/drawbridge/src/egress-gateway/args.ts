/** The arguments of EgressGateway. */
import { isIP } from "node:net";
import { z } from "zod";
import { checkPodMetadata } from "../istio/data-plane.ts";
import { arg, group, PlainReason, plainOnByDefault } from "../kit/arg.ts";
import { orLogicalName } from "../kit/default-name.ts";
import { ifMissing } from "../kit/fault.ts";
import { another, crossing, judgedBy, networks } from "../kit/guard.ts";
import { across, input } from "../kit/schema.ts";
import { whole } from "../kit/shapes.ts";
import {
  apiServerNetwork,
  createNamespace,
  imagePullPolicyOf,
  nameOfObjects,
  namespaceInput,
  podArg,
} from "../kubernetes/args.ts";
import { autoscalingArg, checkAutoscaling, replicasArg } from "../kubernetes/autoscaling.ts";
import { checkResources, resourcesArg } from "../kubernetes/resources.ts";
import { schedulingSchema } from "../kubernetes/scheduling.ts";
import { cidr, dnsLabel, imageReference } from "../kubernetes/shapes.ts";

const noApiServer =
  'is missing; say where the API server is, by which the authorizer reads what each container may reach: egress: { apiServer: [{ cidr: "192.0.2.10/32" }] } (kubectl get endpoints kubernetes)';

const ofGateway = { effect: ["restart", "opens", "closes"], guard: another("wall-removed") } as const;

const nameServer = z.string().refine((value) => isIP(value) !== 0, {
  error: '{{value}} is no address of a name server; write it like "192.0.2.53"',
});

export const proxyResources = {
  requests: { cpu: "100m", memory: "128Mi" },
  limits: { memory: "1Gi" },
} as const;
export const authorizerResources = {
  requests: { cpu: "50m", memory: "128Mi" },
  limits: { memory: "512Mi" },
} as const;

export const egressGatewaySchema = across(
  group(
    "EgressGatewayArgs",
    "Arguments of {@link EgressGateway}.",
    {
      name: nameOfObjects("gateway", ofGateway),
      namespace: arg(
        orLogicalName(namespaceInput, "name"),
        "The gateway's own namespace: anyone who can run pods in it passes for the gateway.",
        {
          ...ofGateway,
          default: "the gateway's name",
        },
      ),
      createNamespace,
      replicas: replicasArg("What is open on one ends with it, after `drainSeconds`."),
      autoscaling: autoscalingArg("EgressGatewayAutoscalingArgs"),
      tunnelsPerContainer: arg(
        input(whole(1, 10_000, "tunnels")).default(1000),
        "How many connections one container may have open, by each proxy. A further one is refused with 429 and what " +
          "to do. One proxy takes 10,000 in all.",
        { effect: ["restart"] },
      ),
      drainSeconds: arg(
        input(whole(1, 24 * 3600, "seconds")).default(60),
        "Seconds for which a proxy that stops keeps its connections. A pod that stops takes this long.",
      ),
      resolvers: arg(
        z.array(input(nameServer)).default([]),
        "Name servers that resolve the hosts, in place of the cluster's own. `egress.dns` must let the gateway reach " +
          "private ones.",
        { default: "- those of the pod", example: '["192.0.2.53"]' },
      ),
      egress: arg(
        group(
          "EgressGatewayEgressArgs",
          "What the gateway's pods may reach besides the internet.",
          {
            apiServer: arg(
              z.array(apiServerNetwork("EgressGatewayApiServerArgs", ["restart", "opens"]), {
                error: ifMissing(noApiServer),
              }),
              "Where the API server is, as seen behind its Service (`kubectl get endpoints kubernetes`). No container " +
                "reaches these networks by the gateway.",
              {
                example: '[{ cidr: "192.0.2.10/32" }]',
                guard: networks("network-wall", { ports: [443, 6443] }),
              },
            ),
            deny: arg(
              z.array(input(cidr)).default([]),
              "Public networks that no container reaches by the gateway, such as the nodes' own addresses.",
              {
                effect: ["restart", "closes"],
                default: "- none",
                guard: networks("network-wall", { isPublicFine: true, isDenied: true }),
              },
            ),
            dns: arg(
              z.array(input(cidr)).default([]),
              "Where DNS answers, on port 53, besides the pods `k8s-app: kube-dns` in `kube-system` and NodeLocal " +
                "DNSCache.",
              {
                default: "- none",
                example: '["10.0.0.10/32"]',
                guard: networks("network-wall", { ports: [53] }),
              },
            ),
          },
          { missing: noApiServer },
        ),
        "What the gateway's pods may reach.",
        { effect: ["opens"] },
      ),
      metricsNamespaces: arg(
        z.array(input(dnsLabel)).default([]),
        "Namespaces whose pods may reach the authorizer's metrics (7512).",
        { effect: ["opens"], default: "- none", guard: crossing("network-wall") },
      ),
      image: arg(input(imageReference).optional(), "The proxy's image, with `/usr/local/bin/envoy` in it.", {
        default: "- Envoy's own release",
        effect: ["restart", "opens"],
        guard: judgedBy("elsewhere", "cluster-rights"),
      }),
      authorizer: arg(
        group("EgressGatewayAuthorizerArgs", "The authorizer of an {@link EgressGateway}.", {
          image: arg(input(imageReference), "Its image, built with `packages/images/build.sh programs`.", {
            effect: ["restart", "opens"],
            guard: judgedBy("elsewhere", "cluster-rights"),
          }),
          resources: resourcesArg("Its CPU and memory.", authorizerResources),
        }),
        "The program beside the proxy that decides which container may reach which host.",
      ),
      imagePullPolicy: imagePullPolicyOf("the images"),
      resources: resourcesArg("CPU and memory of one proxy.", proxyResources),
      scheduling: arg(schedulingSchema, "Which nodes the proxies run on."),
      pod: podArg,
      wait: plainOnByDefault(PlainReason.option, "Whether `pulumi up` waits until the gateway is ready.", {
        effect: [],
      }),
    },
    { effect: ["restart"] },
  ),
  (args, fault) => {
    checkAutoscaling(args, fault);
    checkResources(["resources"], args.resources, fault);
    checkResources(["authorizer", "resources"], args.authorizer?.resources, fault);
    checkPodMetadata(args.pod, fault);
  },
);

export type EgressGatewayInput = z.input<typeof egressGatewaySchema>;
export type EgressGatewayParsed = z.output<typeof egressGatewaySchema>;
