import { z } from "zod";
import { arg, group } from "../common/arg.ts";
import { selectorLabels } from "../common/labels.ts";
import { orElse, type Placed } from "../common/placed.ts";
import { versionField } from "../common/reference.ts";
import { placed, placedIfAny } from "../common/schema.ts";
import { dnsLabel, domainName, hostOrAddress, port, serviceName, stringMap } from "../common/shapes.ts";
import { idleRefSchema } from "./idle-ref.ts";

export const sshGatewayRefSchema = group(
  "SshGatewayRefArgs",
  "What a container must know of its gateway: names alone, so a team can be previewed before it exists.",
  {
    ...versionField,
    name: arg(placed(serviceName), "The gateway's name."),
    namespace: arg(placed(dnsLabel), "The gateway's namespace."),
    domain: arg(placed(domainName), "The gateway's domain."),
    plainPort: arg(placedIfAny(port, "a number"), "Port of its plain listener, if it has one.", {
      effect: [],
    }),
    tlsPort: arg(placedIfAny(port, "a number"), "Port of its TLS listener, if it has one.", { effect: [] }),
    mutualTls: arg(
      placedIfAny(z.boolean(), "true or false"),
      "Whether its TLS listener asks for client certificates.",
      { effect: [], default: "false" },
    ),
    address: arg(
      placedIfAny(hostOrAddress),
      "Where it is reached, for the client's text: the host name that it was given. One that a LoadBalancer gets is in " +
        "the gateway's output `address`.",
      { effect: [] },
    ),
    selector: arg(placedIfAny(stringMap, "a map"), "Labels of its pods.", {
      default: "- those of an SshGateway of this name",
    }),
    teamPods: arg(
      placedIfAny(z.boolean(), "true or false"),
      "Whether it reaches pods that are no container's, which an {@link SshRoute} needs.",
      { effect: [], default: "- nobody knows" },
    ),
    outsideHosts: arg(
      placedIfAny(z.boolean(), "true or false"),
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
  return orElse<Record<string, Placed<string>>>(selector, selectorLabels("ssh-gateway", name));
}
