import type { V1NetworkPolicyPeer } from "@kubernetes/client-node";
import type { Endpoint } from "./endpoints.ts";
import { type Labels, selects } from "./select.ts";

/** Whom a rule lets through: anyone, a range of addresses, or endpoints. */
export type Peer =
  | { kind: "any" }
  | { kind: "range"; range: string; except: readonly string[] }
  | { kind: "endpoints"; endpoints: readonly Endpoint[] };

/** What peers are looked up in. */
export interface World {
  /** Labels of each namespace, by name. */
  namespaces: ReadonlyMap<string, Labels>;
  endpoints: readonly Endpoint[];
}

/**
 * The peers of one rule.
 * @param peers as in `from` and `to`; none at all means anyone
 * @param namespace of the policy
 */
export function peersOf(
  peers: readonly V1NetworkPolicyPeer[] | undefined,
  namespace: string,
  world: World,
): Peer[] {
  if (peers === undefined || peers.length === 0) return [{ kind: "any" }];
  return peers.flatMap((peer): Peer[] => {
    if (peer.ipBlock === undefined)
      return [{ kind: "endpoints", endpoints: selected(peer, namespace, world) }];
    const { cidr, except = [] } = peer.ipBlock;
    // The lab has no IPv6 addresses, so a range of them lets nobody through.
    return cidr.includes(":") ? [] : [{ kind: "range", range: cidr, except }];
  });
}

function selected(peer: V1NetworkPolicyPeer, namespace: string, world: World): Endpoint[] {
  const { podSelector, namespaceSelector } = peer;
  return world.endpoints.filter(
    (endpoint) =>
      (namespaceSelector === undefined
        ? endpoint.namespace === namespace
        : selects(namespaceSelector, world.namespaces.get(endpoint.namespace) ?? {})) &&
      selects(podSelector ?? {}, endpoint.labels),
  );
}
