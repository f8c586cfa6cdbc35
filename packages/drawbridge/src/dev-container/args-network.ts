/** Schemas of what a container may reach and what may reach it. */

import { z } from "zod";
import { egressByName } from "../host/egress/args.ts";
import { frpAccessSchema } from "../host/frpc/args.ts";
import { hostAccessFields } from "../host/ways/access.ts";
import { arg, group, PlainReason, plainOffByDefault, plainOnByDefault } from "../kit/arg.ts";

import { networks } from "../kit/guard.ts";
import { input, inputList, oneOf } from "../kit/schema.ts";
import { matching } from "../kit/shapes.ts";
import { cidr, dnsLabel, labelMap, port, proxyUrl } from "../kubernetes/shapes.ts";

/** How a port is spoken to, for the URL in the outputs. */
export const PortScheme = { http: "http", https: "https", tcp: "tcp" } as const;
export type PortScheme = (typeof PortScheme)[keyof typeof PortScheme];

const portName = matching(
  /^(?=.*[a-z])[a-z0-9]([-a-z0-9]{0,13}[a-z0-9])?$/,
  "is not a port name; use at most 15 lower-case letters, digits and inner hyphens, with a letter",
);

export const portSchema = group(
  "DevContainerPortArgs",
  "A port on which a program of the container listens.",
  {
    name: arg(input(portName), "Its name, at most 15 lower-case letters, digits and hyphens."),
    port: arg(input(port), "Its number."),
    scheme: arg(input(oneOf(PortScheme)).default("http"), "How it is spoken to, for `url`."),
    primary: plainOffByDefault(
      PlainReason.form,
      "Whether this is the application's main port: the gateway, if there is one, leads to it, and `url` is its " +
        "address. One port at most.",
      { effect: ["opens"], guard: "daily" },
    ),
    throughGateway: plainOffByDefault(
      PlainReason.form,
      "Whether everybody who may use the gateway reaches it by the container's name, with no SSH login " +
        "before it. At most 7 ports of a container, the primary one included. Any other is reached with `ssh -L`.",
      { effect: ["opens"], guard: "daily" },
    ),
  },
  { effect: [] },
);

export const accessSchema = group(
  "DevContainerAccessArgs",
  "Every way in, and who may take it. Without sshd only `sshpod` is left; with sshd, at least one must be set.",
  {
    ...hostAccessFields,
    frp: arg(frpAccessSchema.optional(), "A way in through frp, beside the gateway's or instead of it."),
  },
).prefault({});

/** A NetworkPolicy may leave out parts of all addresses, and not all of them. */
const deniedNetwork = cidr.refine(
  (value) => !value.endsWith("/0"),
  "{{value}} is every address; set internet: false instead",
);

export const egressSchema = group(
  "DevContainerEgressArgs",
  "What the container may reach. Cluster-internal and other private addresses only where they are named here.",
  {
    internet: plainOnByDefault(
      PlainReason.form,
      "Whether public addresses may be reached; with `hosts`, none is but by name.",
      {
        guard: "daily",
      },
    ),
    deny: arg(
      inputList(deniedNetwork).default([]),
      "Public networks that may not be reached, such as the address of the cluster's API server.",
      { guard: networks("network-wall", { isPublicFine: true, isDenied: true }) },
    ),
    allow: arg(
      z
        .array(
          group("DevContainerEgressRuleArgs", "A network that may be reached.", {
            cidr: arg(input(cidr), "In CIDR notation.", { effect: ["closes"] }),
            ports: arg(z.array(input(port)).default([]), "TCP ports.", {
              effect: ["opens", "closes"],
              default: "- all ports and protocols",
            }),
          }),
        )
        .default([]),
      "Networks that may be reached, also private ones: everybody with a shell here reaches their hosts. In a " +
        "team's namespace the platform must allow private ones.",
      { guard: networks("network-wall", { isPublicFine: true }) },
    ),
    dns: arg(
      inputList(cidr).default([]),
      "Addresses of DNS servers besides the cluster's kube-dns pods and the node-local cache.",
      { effect: ["opens"], default: "- none", guard: networks("network-wall", { ports: [53] }) },
    ),
    ...egressByName("- `internet` decides, for every address"),
  },
  { effect: ["closes"] },
).prefault({});

export const ingressSchema = group(
  "DevContainerIngressArgs",
  "Pods that may reach the container.",
  {
    namespace: arg(input(dnsLabel).optional(), "Their namespace.", { default: "- the container's own" }),
    podLabels: arg(labelMap.default({}), "Their labels.", {
      default: "- all pods of the namespace",
    }),
    ports: arg(
      z.array(input(port)).min(1, { error: "has no port; set the ports that these pods may reach" }),
      "The ports they may reach.",
      {
        effect: ["opens", "closes"],
      },
    ),
  },
  { effect: ["opens", "closes"] },
);

export const proxySchema = group(
  "DevContainerProxyArgs",
  "The company's web proxy, set in the environment. `egress.allow` must let the container reach it.",
  {
    http: arg(input(proxyUrl).optional(), "Proxy for http addresses."),
    https: arg(input(proxyUrl).optional(), "Proxy for https addresses.", { default: "- that for http" }),
    except: arg(
      z.array(input(z.string())).default([]),
      "Hosts and domains that are reached without it, besides the cluster's own.",
    ),
  },
);
