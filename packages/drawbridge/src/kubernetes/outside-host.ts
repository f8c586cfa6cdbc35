/** Addresses of hosts outside of the cluster, which the platform alone names. */
import { isIP } from "node:net";
import { z } from "zod";
import { overlap, parseCidr } from "./ip.ts";
import { networksWithoutHosts } from "./networks.ts";
import { cidr } from "./shapes.ts";

/** The first network without hosts that shares an address with `text`, and what is there. */
function withoutHosts(text: string): { network: string; what: string } | undefined {
  const range = parseCidr(text);
  const meets = (network: string) => {
    const other = parseCidr(network);
    return range !== undefined && other !== undefined && overlap(range, other) !== undefined;
  };
  return Object.entries(networksWithoutHosts)
    .flatMap(([what, networks]) => networks.map((network) => ({ network, what })))
    .find(({ network }) => meets(network));
}

/** The network of one address. */
export const networkOf = (address: string): string => `${address}/${isIP(address) === 6 ? 128 : 32}`;

/** Whether all of a network is in another. */
export function isWithin(network: string, other: string): boolean {
  const [inner, outer] = [parseCidr(network), parseCidr(other)];
  if (inner === undefined || outer === undefined) return false;
  const shared = overlap(inner, outer);
  return shared?.low === inner.low && shared.high === inner.high;
}

/** An address as it is written: whatever stands in the place of a name would have to be resolved by someone. */
export const outsideAddress = z.string().superRefine((value, context) => {
  const message = addressFault(value);
  if (message !== undefined) context.addIssue({ code: "custom", message, input: value });
});

function addressFault(value: string): string | undefined {
  if (isIP(value) === 0 || value.includes("%"))
    return '{{value}} is not an IP address; write the address itself, like "10.20.0.5": a name would have to be resolved first';
  const found = withoutHosts(networkOf(value));
  return (
    found &&
    `{{value}} is in ${found.network} (${found.what}), where no host outside of the cluster is; set the host's own address`
  );
}

/** Networks of hosts outside of the cluster, without an address that no host can have. */
export const outsideNetwork = cidr.superRefine((value, context) => {
  const found = cidr.safeParse(value).success ? withoutHosts(value) : undefined;
  if (found === undefined) return;
  const message = `{{value}} has addresses of ${found.network} (${found.what}), which the gateway must not reach; set the networks of the hosts themselves`;
  context.addIssue({ code: "custom", message, input: value });
});
