/** Which addresses are the internet's. */
import { BlockList, isIPv4, isIPv6 } from "node:net";
import { privateNetworks } from "@drawbridge-iac/drawbridge/src/kubernetes/networks";

/** IPv6 that is routed on the internet; what else there is holds other networks' addresses, or nobody's. */
const routed = listOf(["2000::/3"]);
const unrouted = ["2001::/23", "2001:db8::/32"];

function listOf(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = "", length] = network.split("/");
    list.addSubnet(address, Number(length), isIPv4(address) ? "ipv4" : "ipv6");
  }
  return list;
}

/**
 * Whether an address is the internet's.
 * @param deny further networks that are refused, such as the nodes'
 */
export function publicAddresses(deny: readonly string[]): (address: string) => boolean {
  const refused = listOf([...privateNetworks.ipv4, ...privateNetworks.ipv6, ...unrouted, ...deny]);
  return (address) => {
    if (isIPv4(address)) return !refused.check(address, "ipv4");
    return isIPv6(address) && routed.check(address, "ipv6") && !refused.check(address, "ipv6");
  };
}
