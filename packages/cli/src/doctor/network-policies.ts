/** Which NetworkPolicies keep a gateway from a port, as far as labels tell. What cannot be known counts as let through. */
import { isWithin, networkOf } from "@drawbridge-iac/drawbridge/src/kubernetes/outside-host";
import { type LabelSelector, type Labels, selects } from "@drawbridge-iac/drawbridge/src/kubernetes/selector";

interface Peer {
  readonly podSelector?: LabelSelector;
  readonly namespaceSelector?: LabelSelector;
  readonly ipBlock?: { readonly cidr: string; readonly except?: readonly string[] };
}

interface Rule {
  readonly from?: readonly Peer[];
  readonly to?: readonly Peer[];
  readonly ports?: readonly {
    readonly protocol?: string;
    readonly port?: number | string;
    readonly endPort?: number;
  }[];
}

export interface NetworkPolicy {
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly podSelector?: LabelSelector;
    readonly policyTypes?: readonly string[];
    readonly ingress?: readonly Rule[];
    readonly egress?: readonly Rule[];
  };
}

/** A pod at one end of a connection; labels are undefined if they may not be read. */
export interface End {
  readonly namespace: string;
  readonly namespaceLabels: Labels | undefined;
  readonly labels: Labels | undefined;
}

/** An end that is no pod. */
interface OutsideEnd {
  readonly address: string;
}

type Direction = "Ingress" | "Egress";

/**
 * The policies of a pod in a direction, if none of them lets the connection through; else none.
 * @param policies of the namespace of `own`
 */
export function blockingPolicies(
  policies: readonly NetworkPolicy[],
  direction: Direction,
  own: End,
  other: End | OutsideEnd,
  port: number,
): string[] {
  const selecting = policies.filter(
    ({ spec }) =>
      own.labels !== undefined && selects(spec.podSelector ?? {}, own.labels) && isFor(direction, spec),
  );
  const lets = ({ spec }: NetworkPolicy) => {
    const rules = direction === "Ingress" ? spec.ingress : spec.egress;
    return (rules ?? []).some((rule) => {
      const peers = (direction === "Ingress" ? rule.from : rule.to) ?? [];
      const isPeer = peers.length === 0 || peers.some((peer) => matchesPeer(peer, own.namespace, other));
      return isPeer && hasPort(rule, port);
    });
  };
  return selecting.some(lets) ? [] : selecting.map(({ metadata }) => metadata.name);
}

/** Kubernetes fills in absent types by this rule, in which no rules count as none. */
function isFor(direction: Direction, { policyTypes = [], egress = [] }: NetworkPolicy["spec"]): boolean {
  if (policyTypes.length > 0) return policyTypes.includes(direction);
  return direction === "Ingress" || egress.length > 0;
}

function matchesPeer(peer: Peer, namespace: string, other: End | OutsideEnd): boolean {
  const { ipBlock, namespaceSelector, podSelector } = peer;
  if ("address" in other) {
    const isIn = (network: string) => isWithin(networkOf(other.address), network);
    return ipBlock !== undefined && isIn(ipBlock.cidr) && !(ipBlock.except ?? []).some(isIn);
  }
  // The pod's address is not known here.
  if (ipBlock !== undefined) return true;
  const isThere =
    namespaceSelector === undefined
      ? namespace === other.namespace
      : other.namespaceLabels === undefined || selects(namespaceSelector, other.namespaceLabels);
  return isThere && (other.labels === undefined || selects(podSelector ?? {}, other.labels));
}

function hasPort({ ports = [] }: Rule, wanted: number): boolean {
  return (
    ports.length === 0 ||
    ports.some(({ protocol = "TCP", port, endPort }) => {
      if (protocol !== "TCP") return false;
      // No port means all of them; the number of one with a name is not known here.
      if (typeof port !== "number") return true;
      return port <= wanted && wanted <= (endPort ?? port);
    })
  );
}
