/** An IPv4 address as a number, or undefined when the text is none. */
export function parseIpv4(text: string): number | undefined {
  const parts = text.split(".");
  if (parts.length !== 4 || !parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) < 256)) {
    return undefined;
  }
  return parts.reduce((number, part) => number * 256 + Number(part), 0);
}

export function formatIpv4(number: number): string {
  return [24, 16, 8, 0].map((shift) => (number >>> shift) & 255).join(".");
}

/** First and last host address of a range such as `10.201.1.0/24`: all but the network's own and the broadcast address. */
export function hostRange(range: string): { first: number; last: number } {
  const [base = "", bits = ""] = range.split("/");
  const network = parseIpv4(base);
  const length = Number(bits);
  if (network === undefined || !/^\d+$/.test(bits) || length > 30) {
    throw new Error(`"${range}" is no IPv4 range; write it like 10.201.1.0/24, with at most 30 bits`);
  }
  return { first: network + 1, last: network + 2 ** (32 - length) - 2 };
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
    const address = requested ?? lowestFree(range, taken);
    if (address === undefined) return { key, refused: `no address is left in ${range}` };
    const refused = refusal(address, range, taken);
    if (refused !== undefined) return { key, refused };
    taken.set(address, key);
    return { key, address };
  });
}

function refusal(address: string, range: string, taken: ReadonlyMap<string, string>): string | undefined {
  const number = parseIpv4(address);
  const { first, last } = hostRange(range);
  if (number === undefined || number < first || number > last) {
    return `loadBalancerIP ${address} is outside of the lab's range ${range}`;
  }
  const owner = taken.get(address);
  return owner === undefined ? undefined : `loadBalancerIP ${address} belongs to the Service ${owner}`;
}

function lowestFree(range: string, taken: ReadonlyMap<string, string>): string | undefined {
  const { first, last } = hostRange(range);
  for (let number = first; number <= last; number += 1) {
    if (!taken.has(formatIpv4(number))) return formatIpv4(number);
  }
  return undefined;
}
