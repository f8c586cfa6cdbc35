/** The arguments of the way out by name, fields of `egress`. */
import { z } from "zod";
import { arg } from "../../kit/arg.ts";
import { judgedBy } from "../../kit/guard.ts";
import { type Input, known } from "../../kit/input.ts";
import { reference } from "../../kit/reference.ts";
import { type Fields, input, type RaiseFault } from "../../kit/schema.ts";
import { longestHosts, parseHostPattern } from "./contract.ts";
import { type EgressGatewayRefParsed, egressGatewayRefSchema } from "./gateway.ts";
import { ofRegistry, openTo } from "./public-suffix.ts";

export const egressHost = z
  .string()
  .refine((value) => openTo(value) !== "registrants", { error: `{{value}} ${ofRegistry}`, abort: true })
  .refine((value) => parseHostPattern(value) !== undefined, {
    error:
      '{{value}} is no host; write its whole name in lower case like "pypi.org", "*.example.com" for every name below ' +
      'one, "git.example.com:22" for a port; another alphabet as xn--…, no address',
  });

/** @param absent what a host without `hosts` reaches */
export const egressByName = (absent: string) => ({
  hosts: arg(
    z
      .array(input(egressHost))
      .max(10_000, { error: "are more than 10000; name what they have in common by a wildcard" })
      .optional(),
    "Hosts of the internet that may be reached, by name, and no other: ports 443 and 80, or the one that is named; " +
      "`*.` for every name below. Programs reach them by the proxy that the environment names. A change takes effect " +
      "within two seconds, without a restart, and ends connections that are no longer allowed. With an allowed host " +
      "everything goes that this host passes on.",
    {
      effect: ["opens", "closes"],
      default: absent,
      example: '["pypi.org", "*.pythonhosted.org", "git.example.com:22"]',
      guard: judgedBy("hosts", "network-wall"),
    },
  ),
  gateway: arg(
    reference(egressGatewayRefSchema, "EgressGateway").optional(),
    "The gateway that leads to `hosts`: an {@link EgressGateway}, or the `ref` of one of another stack.",
    { effect: ["restart"] },
  ),
});

export interface EgressByName {
  readonly hosts?: readonly Input<string>[] | undefined;
  readonly gateway?: EgressGatewayRefParsed | undefined;
}

/** What the check across a container's arguments looks at. */
interface EgressArgs {
  readonly egress?: EgressByName | undefined;
  readonly proxy?: { readonly http?: unknown; readonly https?: unknown } | undefined;
}

export function checkEgress(
  { egress, proxy }: EgressArgs,
  fault: RaiseFault,
  { isGiven, isValid }: Fields,
): void {
  if (egress === undefined) return;
  const { hosts, gateway } = egress;
  if (hosts === undefined) {
    if (gateway !== undefined && isValid("egress", "hosts"))
      fault`egress.gateway: has no effect without hosts; name what may be reached, egress: { hosts: ["pypi.org"] }`;
    return;
  }
  const length = hosts.reduce((sum, host) => sum + (known(host)?.length ?? 0) + 1, 0);
  if (length > longestHosts)
    fault`egress.hosts: have ${length} characters in all, with one between them; at most ${longestHosts}: name what they have in common by a wildcard`;
  if (gateway === undefined)
    fault.as(
      "no-egress-gateway",
    )`egress.gateway: is missing; hosts are reached by an EgressGateway of the platform, egress: { gateway, hosts }`;
  if (proxy?.http !== undefined || proxy?.https !== undefined)
    fault`proxy: is beside egress.hosts, whose proxy is the egress gateway; remove one of the two (proxy.except stays)`;
  if (!isGiven("hostKey"))
    fault`hostKey: is missing; what the container proves itself with to the egress gateway is derived from its seed`;
}
