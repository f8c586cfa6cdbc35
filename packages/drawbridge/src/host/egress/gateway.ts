/** The way out by name: what a container must know of its gateway. */
import type { z } from "zod";
import { arg, group } from "../../kit/arg.ts";
import { another } from "../../kit/guard.ts";
import { text } from "../../kit/input.ts";
import { versionField } from "../../kit/reference.ts";
import { input } from "../../kit/schema.ts";
import { selectorLabels } from "../../kubernetes/labels.ts";
import { internalName } from "../../kubernetes/names.ts";
import { podsOf, tcp } from "../../kubernetes/network-policy.ts";
import { dnsLabel, serviceName } from "../../kubernetes/shapes.ts";
import { egressPorts } from "./contract.ts";

export const egressGatewayRefSchema = group(
  "EgressGatewayRefArgs",
  "What a container must know of its egress gateway: names alone, so a team can be previewed before it exists.",
  {
    ...versionField,
    name: arg(input(serviceName), "The gateway's name, and that of its service account.", {
      guard: another("cluster-rights"),
    }),
    namespace: arg(input(dnsLabel), "The gateway's namespace.", { guard: another("cluster-rights") }),
  },
  { effect: ["restart", "opens", "closes"] },
);

export type EgressGatewayRefParsed = z.output<typeof egressGatewayRefSchema>;

/** `host:port` of the proxy, for containers. */
export const egressProxy = ({ name, namespace }: EgressGatewayRefParsed) =>
  text`${internalName(name, namespace)}:${String(egressPorts.proxy)}`;

/** The rule by which a container's pod reaches the gateway. */
export const toEgressGateway = ({ name, namespace }: EgressGatewayRefParsed) => ({
  to: [podsOf(namespace, selectorLabels("egress-gateway", name))],
  ports: tcp(egressPorts.proxy),
});
