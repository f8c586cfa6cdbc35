import { parseCidr, toCidrs } from "@drawbridge-iac/drawbridge/src/kubernetes/ip";

/** The addresses of a range, without the network's own and the broadcast address. */
function hostsOf(range: string): string[] {
  const network = parseCidr(range);
  if (network === undefined) throw new Error(`"${range}" is no range of addresses`);
  const { low, high, family } = network;
  return Array.from({ length: Number(high - low) - 1 }, (_, index) => {
    const address = low + 1n + BigInt(index);
    return toCidrs({ family, low: address, high: address })[0]!.replace(/\/.*/, "");
  });
}

/** The parts of a Service that decide about its address. */
export interface BalancedService {
  /** `namespace/name` */
  key: string;
  /** Whether it is of type LoadBalancer and names no class of another controller. */
  wanted: boolean;
  /** `spec.loadBalancerIP`. Default: any address. */
  requested?: string;
  /** The address in its status, if any. */
  current?: string;
}

/** What is to become of a Service: an address, none, or a refusal with its reason. */
export type Assignment = { key: string } & ({ address: string } | { none: true } | { refused: string });

/**
 * Gives every Service that wants one an address of the range. An address once given stays, unless the Service asks
 * for another; the lowest free one is given next.
 */
export function assign(services: readonly BalancedService[], range: string): Assignment[] {
  const taken = new Map<string, string>();
  const keep = ({ wanted, requested, current }: BalancedService) =>
    wanted && current !== undefined && (requested === undefined || requested === current);
  for (const service of services) if (keep(service)) taken.set(service.current ?? "", service.key);
  return services.map((service) => {
    const { key, wanted, requested, current } = service;
    if (!wanted) return { key, none: true };
    if (current !== undefined && keep(service)) return { key, address: current };
    const address = requested ?? hostsOf(range).find((free) => !taken.has(free));
    if (address === undefined) return { key, refused: `no address is left in ${range}` };
    const refused = refusal(address, range, taken);
    if (refused !== undefined) return { key, refused };
    taken.set(address, key);
    return { key, address };
  });
}

function refusal(address: string, range: string, taken: ReadonlyMap<string, string>): string | undefined {
  if (!hostsOf(range).includes(address)) {
    return `loadBalancerIP ${address} is outside of the lab's range ${range}`;
  }
  const owner = taken.get(address);
  return owner === undefined ? undefined : `loadBalancerIP ${address} belongs to the Service ${owner}`;
}
