/** The arguments of SshGateway. */

import { z } from "zod";
import { clientLimitsSchema } from "../host/ways/client-limits.ts";
import { identity } from "../host/ways/gateway.ts";
import { arg, group, offByDefault, onByDefault, PlainReason, plainOnByDefault } from "../kit/arg.ts";
import { orLogicalName } from "../kit/default-name.ts";

import { another, crossing, judgedBy, networks } from "../kit/guard.ts";
import { input, inputList } from "../kit/schema.ts";
import { whole } from "../kit/shapes.ts";
import {
  apiServerNetwork,
  podSchema as commonPod,
  imagePullPolicy,
  nameOfObjects,
  namespaceInput,
} from "../kubernetes/args.ts";
import { autoscalingArg, replicasArg } from "../kubernetes/autoscaling.ts";
import { loadBalancerSchema } from "../kubernetes/load-balancer.ts";
import { outsideNetwork } from "../kubernetes/outside-host.ts";
import { resourcesArg } from "../kubernetes/resources.ts";
import { schedulingSchema } from "../kubernetes/scheduling.ts";
import {
  cidr,
  dnsLabel,
  domainName,
  hostOrAddress,
  imageReference,
  labelMap,
  port,
} from "../kubernetes/shapes.ts";
import { listenersSchema } from "./args-listeners.ts";
import { gatewayIdleSchema } from "./idle-args.ts";

/** `auto` leaves the choice to Istio's injection. */
const proxyImage = z.string().refine((value) => value === "auto" || imageReference.safeParse(value).success, {
  error: '{{value}} is neither "auto" nor a pinned image; add a tag other than "latest" or a digest',
});

export const defaultResources = {
  requests: { cpu: "100m", memory: "256Mi" },
  limits: { memory: "1Gi" },
} as const;

const podSchema = group(
  "SshGatewayPodArgs",
  "Further fields of the gateway's pods.",
  {
    ...commonPod.shape,
    terminationGracePeriodSeconds: arg(
      input(whole(1, 8 * 24 * 3600, "seconds")).optional(),
      "Seconds after which a stopping pod ends with what is still open; at least `drainSeconds`, which alone decides " +
        "how long sessions last. Leave it out.",
      { default: "drainSeconds + 30" },
    ),
  },
  { extends: ["PodArgs"] },
).prefault({});

export const sshGatewayFields = group(
  "SshGatewayArgs",
  "Arguments of {@link SshGateway}.",
  {
    name: nameOfObjects("gateway"),
    namespace: arg(
      orLogicalName(namespaceInput, "existing", "name"),
      "The gateway's own namespace, which must not be Istio's root namespace: an EnvoyFilter there is " +
        "pushed to every proxy of the mesh.",
      {
        effect: ["restart", "sessions", "opens", "closes"],
        default: "the gateway's name",
        guard: another("wall-removed"),
      },
    ),
    createNamespace: arg(
      z.boolean().optional(),
      'Whether to create that namespace, with Pod Security "restricted" enforced.',
      {
        plain: PlainReason.resources,
        effect: ["opens"],
        default: "true",
        guard: crossing("wall-removed", { when: false }),
      },
    ),
    domain: arg(
      input(domainName),
      "The domain under which containers are reached: `<container>.<namespace>.<domain>`. It needs no " +
        "public DNS record of its own; clients hand the name to the gateway.",
      {
        effect: ["sessions", "opens", "closes"],
        example: '"dev.example.com"',
        guard: another("wall-removed"),
      },
    ),
    dnsName: arg(
      input(domainName).optional(),
      "DNS name of the LoadBalancer, announced to external-dns and given to clients instead of its address. With a " +
        "TLS listener it must be below the domain: clients send it, and the listener is chosen by it.",
      { effect: [], example: '"ssh.dev.example.com"' },
    ),
    listeners: arg(listenersSchema, "The ports on which the gateway answers CONNECT.", {
      default: "`{ plain: { port: 80 } }`",
    }),
    allowIdentities: arg(
      inputList(identity).default([]),
      "Who may use the gateway at all: URI names of client certificates, such as `spiffe://example.com/user/alice`. " +
        "Needs `listeners.tls.clientCa`. A container may restrict its own tunnel further.",
      {
        effect: ["sessions", "opens"],
        default: "- everyone with a certificate of the client CA",
        guard: judgedBy("identities", "gateway-opened"),
      },
    ),
    connectionLimits: arg(
      clientLimitsSchema.optional(),
      "How many tunnels one client address may open. A client that comes close is slowed down, one that is over gets " +
        "429. Each listener of each proxy counts for itself. An `existing` gateway has no limits of ours.",
      { effect: ["sessions", "opens"], guard: judgedBy("connection-limits", "wall-removed") },
    ),
    loadBalancer: arg(
      loadBalancerSchema.optional(),
      "The gateway's own LoadBalancer. Needed unless the gateway is an `existing` one.",
    ),
    replicas: replicasArg("Sessions on one are not moved to another when it stops."),
    autoscaling: autoscalingArg("SshGatewayAutoscalingArgs"),
    drainSeconds: arg(
      input(whole(1, 7 * 24 * 3600, "seconds")).default(3600),
      "Seconds for which a proxy whose listener changed, or which is told to stop, keeps its open sessions. It ends " +
        "them little by little in half as many seconds more; a stopping one ends with its grace period at the latest.",
    ),
    rejectEarlyConnectData: onByDefault(
      "Whether to refuse bytes that a client sends before its tunnel stands. Needs Istio 1.30 or newer.",
      { effect: ["sessions", "opens"], guard: crossing("wall-removed", { when: false }) },
    ),
    audit: onByDefault(
      "Whether the proxy logs each CONNECT as JSON lines: when it arrives, when its tunnel stands, when it ends.",
      { effect: ["sessions", "opens"], guard: crossing("wall-removed", { when: false }) },
    ),
    image: arg(
      input(proxyImage).default("auto"),
      "The proxy's image; `auto` lets Istio's injection choose the one of its own version.",
      { effect: ["restart", "opens"], guard: judgedBy("elsewhere", "cluster-rights") },
    ),
    imagePullPolicy,
    istioRevision: arg(
      input(dnsLabel).optional(),
      "The Istio revision whose control plane manages the gateway.",
      { default: "- the cluster's default revision" },
    ),
    resources: resourcesArg(
      "CPU and memory of one proxy. An idle session costs about 36 KiB.",
      defaultResources,
    ),
    scheduling: arg(
      schedulingSchema,
      "Which nodes the proxies run on; with `idle` also culler and activator.",
    ),
    pod: arg(podSchema, "Further fields of its pods."),
    admissionPolicy: plainOnByDefault(
      PlainReason.resources,
      "Whether to install the admission policies that keep teams apart. They need the right to create " +
        "cluster-wide objects. `false` lets everybody who may write a VirtualService, in whatever " +
        "namespace, take other people's names and have this gateway connect to what it likes.",
      { effect: ["opens"], guard: crossing("wall-removed", { when: false }) },
    ),
    egress: arg(
      group(
        "SshGatewayEgressArgs",
        "What else a gateway's pods may reach. Networks are in CIDR notation; each opens these ports of " +
          "its hosts to the gateway.",
        {
          dns: arg(
            inputList(cidr).default([]),
            "Where DNS answers, on port 53, besides the pods `k8s-app: kube-dns` in `kube-system` and " +
              "NodeLocal DNSCache.",
            { example: '["10.0.0.10/32"]', guard: networks("network-wall", { ports: [53] }) },
          ),
          istiod: arg(
            inputList(cidr).default([]),
            "Where istiod answers, on port 15012 or 443, besides the pods `app: istiod` in `istio-system` " +
              "(port 15012).",
            { example: '["10.1.2.3/32"]', guard: networks("network-wall", { ports: [443, 15012] }) },
          ),
          teamPods: offByDefault(
            "Whether its pods may reach every pod of the teams' namespaces, which an {@link SshRoute} to another's " +
              "workload needs. Without it they reach the pods of containers and of {@link InjectedSshd} " +
              "alone. Routes lead into their own namespace either way.",
            { guard: crossing("network-wall", { when: true }) },
          ),
          outsideHosts: arg(
            z
              .array(
                group("SshGatewayOutsideHostsArgs", "A network of hosts outside of the cluster.", {
                  cidr: arg(input(outsideNetwork), "Its addresses in CIDR notation.", {
                    example: '"10.20.0.5/32"',
                  }),
                  ports: arg(
                    input(z.array(input(port)).min(1), "a list").default([22]),
                    "The ports of their sshd.",
                  ),
                }),
              )
              .default([]),
            "Hosts outside of the cluster that its pods may reach: those that a {@link Team} names in its own " +
              "`outsideHosts`. No other program reaches them by this.",
            {
              effect: ["opens", "closes"],
              example: '[{ cidr: "10.20.0.5/32" }]',
              guard: networks("network-wall", { ports: [22] }),
            },
          ),
          apiServer: arg(
            z.array(apiServerNetwork("SshGatewayApiServerArgs")).default([]),
            "Where the API server is, as seen behind its Service (`kubectl get endpoints kubernetes`): culler " +
              "and activator ask it. Needed with `idle`, and only there.",
            {
              example: '[{ cidr: "192.0.2.10/32" }]',
              guard: networks("network-wall", { ports: [443, 6443] }),
            },
          ),
        },
        { effect: ["opens"] },
      ).prefault({}),
      "What the gateway's pods may reach besides containers: other pods of teams, hosts outside, and istiod and DNS where " +
        "they are not in their usual places.",
    ),
    idle: arg(
      gatewayIdleSchema,
      "Lets containers behind this gateway sleep while nobody uses them, and wakes them.",
      { default: "- none of them sleeps" },
    ),
    existing: arg(
      group("SshGatewayExistingArgs", "A gateway that someone else runs.", {
        namespace: arg(
          input(dnsLabel),
          "The namespace of its pods. In Istio's root namespace the filter is pushed to every proxy of the mesh.",
          { effect: ["sessions", "opens", "closes"], guard: another("wall-removed") },
        ),
        selector: arg(labelMap, "Labels of its pods.", {
          effect: ["sessions", "opens"],
          guard: another("gateway-opened"),
        }),
        address: arg(
          input(hostOrAddress).optional(),
          "Host name or address of its LoadBalancer, for the client's text.",
          { effect: [] },
        ),
      }).optional(),
      "Uses a gateway that exists already instead of one of our own: only routes and their filter are " +
        "added. It shares its LoadBalancer, its drain time (45 s by default) and its time-outs with all " +
        "other traffic. Its pods get no NetworkPolicy, and its Gateways no admission policy: anyone who " +
        "may write those for it decides what it does.",
    ),
  },
  { effect: ["restart"] },
);

export type SshGatewayInput = z.input<typeof sshGatewayFields>;
export type SshGatewayParsed = z.output<typeof sshGatewayFields>;
