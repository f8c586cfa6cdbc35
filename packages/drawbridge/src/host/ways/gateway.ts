/** The way in through a gateway: what a host must know of it. */
import { z } from "zod";
import { arg, group } from "../../kit/arg.ts";
import { another } from "../../kit/guard.ts";
import { type Input, orElse } from "../../kit/input.ts";
import { versionField } from "../../kit/reference.ts";
import { input, optionalInput } from "../../kit/schema.ts";
import { matching } from "../../kit/shapes.ts";
import { selectorLabels } from "../../kubernetes/labels.ts";
import {
  dnsLabel,
  domainName,
  hostOrAddress,
  labelValue,
  port,
  qualifiedName,
  serviceName,
} from "../../kubernetes/shapes.ts";

export const idleRefSchema = group(
  "SshGatewayIdleRefArgs",
  "Who puts a gateway's containers to sleep and wakes them.",
  {
    namespace: arg(input(dnsLabel), "Namespace of both service accounts.", {
      guard: another("cluster-rights"),
    }),
    cullerServiceAccountName: arg(input(serviceName), "The culler's service account.", {
      guard: another("cluster-rights"),
    }),
    activatorServiceAccountName: arg(input(serviceName), "The activator's service account.", {
      guard: another("cluster-rights"),
    }),
    gpuMetrics: arg(input(z.boolean(), "true or false"), "Whether the use of GPUs is known.", {
      effect: [],
    }),
  },
  { effect: ["opens", "closes"] },
);

/** Service accounts, both in one namespace, and whether there is anybody who knows of GPUs. */
export type IdleAccounts = z.output<typeof idleRefSchema>;

export const sshGatewayRefSchema = group(
  "SshGatewayRefArgs",
  "What a container must know of its gateway: names alone, so a team can be previewed before it exists.",
  {
    ...versionField,
    name: arg(input(serviceName), "The gateway's name.", { guard: another("network-wall") }),
    namespace: arg(input(dnsLabel), "The gateway's namespace.", { guard: another("network-wall") }),
    domain: arg(input(domainName), "The gateway's domain.", { guard: "daily" }),
    plainPort: arg(optionalInput(port, "a number"), "Port of its plain listener, if it has one.", {
      effect: [],
    }),
    tlsPort: arg(optionalInput(port, "a number"), "Port of its TLS listener, if it has one.", { effect: [] }),
    mutualTls: arg(
      optionalInput(z.boolean(), "true or false"),
      "Whether its TLS listener asks for client certificates.",
      { effect: [], default: "false" },
    ),
    address: arg(
      optionalInput(hostOrAddress),
      "Where it is reached, for the client's text: the host name that it was given. One that a LoadBalancer gets is in " +
        "the gateway's output `address`.",
      { effect: [] },
    ),
    selector: arg(optionalInput(z.record(qualifiedName, labelValue), "a map"), "Labels of its pods.", {
      default: "- those of an SshGateway of this name",
      guard: another("network-wall"),
    }),
    teamPods: arg(
      optionalInput(z.boolean(), "true or false"),
      "Whether it reaches pods that are no container's, which an {@link SshRoute} needs.",
      { effect: [], default: "- nobody knows" },
    ),
    outsideHosts: arg(
      optionalInput(z.boolean(), "true or false"),
      "Whether it reaches hosts outside of the cluster, to which an {@link SshRoute} may lead too.",
      { effect: [], default: "- nobody knows" },
    ),
    idle: arg(
      idleRefSchema.optional(),
      "What puts its containers to sleep and wakes them, if anything does.",
    ),
  },
  { effect: ["opens", "closes"] },
);

export type SshGatewayRefParsed = z.output<typeof sshGatewayRefSchema>;
/** The labels by which its pods are known. */
export function gatewaySelector({ name, selector }: SshGatewayRefParsed) {
  return orElse<Record<string, Input<string>>>(selector, selectorLabels("ssh-gateway", name));
}

/** A client certificate's URI subject alternative name. */
export const identity = matching(
  /^spiffe:\/\/[a-z0-9._-]+(\/[A-Za-z0-9._-]+)+$/,
  '{{value}} is not a client identity; write the certificate\'s URI name like "spiffe://example.com/user/alice"',
);
