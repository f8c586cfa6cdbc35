import { selects } from "@drawbridge-iac/drawbridge/src/kubernetes/selector";
import type { V1NetworkPolicy, V1NetworkPolicyPeer, V1NetworkPolicyPort } from "@kubernetes/client-node";
import { type Endpoint, type Peer, peersOf, type World } from "./peers.ts";

const table = "inet drawbridge_policy";

type Direction = "ingress" | "egress";

/** One rule of a policy, in a form that is the same for both directions. */
interface Rule {
  peers: readonly V1NetworkPolicyPeer[] | undefined;
  ports: readonly V1NetworkPolicyPort[] | undefined;
}

/**
 * The nftables script that enforces the policies on the pods, replacing in one step what was there before.
 *
 * A pod that no policy selects for a direction is open in it; one that is selected is closed but for what the rules
 * let through. Each packet of a connection's opener is judged, so a connection goes on through a change that still
 * allows it and stops at one that does not; answers always pass. Packets that the node itself sends (kubelet's
 * probes, programs run with `exec`) do not pass here: in Kubernetes, too, a node reaches its own pods.
 * @param closed addresses of pods that are gone: no new connection begins with one, whatever the policies say, and only
 *   open connections are served to their end
 */
export function ruleset(
  pods: readonly Endpoint[],
  policies: readonly V1NetworkPolicy[],
  world: World,
  closed: readonly string[] = [],
): string {
  const chains = pods.flatMap((pod) =>
    (["egress", "ingress"] as const).flatMap((direction) => {
      const governing = policies.filter((policy) => governs(policy, direction, pod));
      if (governing.length === 0) return [];
      const rules = governing.flatMap((policy) => allowed(policy, direction, pod, world));
      return [{ direction, pod, name: `${direction}_${pod.address.replaceAll(".", "_")}`, rules }];
    }),
  );
  const judge = (direction: Direction, end: string) => {
    const jumps = chains
      .filter((chain) => chain.direction === direction)
      .map(({ pod, name }) => `${pod.address} : jump ${name}`);
    return [
      ...(closed.length === 0 ? [] : [`ct state new ip ${end} { ${closed.join(", ")} } drop`]),
      ...(jumps.length === 0 ? [] : [`ip ${end} vmap { ${jumps.join(", ")} }`]),
    ];
  };
  const pass = ["ct direction reply accept", "ct state related accept"];
  return [
    `table ${table}`,
    `delete table ${table}`,
    `table ${table} {`,
    ...chains.flatMap(({ name, pod, rules }) =>
      chain(name, [
        // A pod may always talk to itself, also through its own Service.
        `ip saddr ${pod.address} ip daddr ${pod.address} return`,
        ...new Set(rules),
        "drop",
      ]),
    ),
    ...chain("forward", [
      "type filter hook forward priority filter - 10; policy accept;",
      ...pass,
      ...judge("egress", "saddr"),
      ...judge("ingress", "daddr"),
    ]),
    ...chain("input", [
      "type filter hook input priority filter - 10; policy accept;",
      ...pass,
      ...judge("egress", "saddr"),
    ]),
    "}",
    "",
  ].join("\n");
}

function chain(name: string, lines: readonly string[]): string[] {
  return [`  chain ${name} {`, ...lines.map((line) => `    ${line}`), "  }"];
}

/** Whether the policy closes the pod in this direction. */
function governs({ metadata, spec }: V1NetworkPolicy, direction: Direction, pod: Endpoint): boolean {
  if (metadata?.namespace !== pod.namespace || !selects(spec?.podSelector ?? {}, pod.labels)) return false;
  // Kubernetes fills in policyTypes by this same rule when a policy leaves them out.
  const byDefault = direction === "ingress" || spec?.egress !== undefined;
  return spec?.policyTypes?.includes(direction === "ingress" ? "Ingress" : "Egress") ?? byDefault;
}

function allowed(policy: V1NetworkPolicy, direction: Direction, pod: Endpoint, world: World): string[] {
  const namespace = policy.metadata?.namespace ?? "";
  return rulesOf(policy, direction).flatMap(({ peers, ports }) =>
    peersOf(peers, namespace, world).flatMap((peer) =>
      direction === "ingress" ? fromPeer(peer, ports, pod) : toPeer(peer, ports, world),
    ),
  );
}

function rulesOf({ spec }: V1NetworkPolicy, direction: Direction): Rule[] {
  return direction === "ingress"
    ? (spec?.ingress ?? []).map(({ _from, ports, ...rest }) => ({
        // The generated type calls the field `_from`; on the wire it is `from`.
        peers: _from ?? (rest as { from?: V1NetworkPolicyPeer[] }).from,
        ports,
      }))
    : (spec?.egress ?? []).map(({ to, ports }) => ({ peers: to, ports }));
}

/** The ports are the pod's own, so they are the same for every peer. */
function fromPeer(peer: Peer, ports: Rule["ports"], pod: Endpoint): string[] {
  const from = addressMatch(peer, "saddr");
  return from === undefined ? [] : portMatches(ports, pod).map((port) => line(from, port));
}

/** The ports are the peer's, where a name may mean another number on each. */
function toPeer(peer: Peer, ports: Rule["ports"], world: World): string[] {
  const to = (endpoints: readonly Endpoint[], ports: Rule["ports"], address = "") =>
    endpoints.flatMap((endpoint) =>
      portMatches(ports, endpoint).map((port) => line(address, `ip daddr ${endpoint.address}`, port)),
    );
  if (peer.kind === "endpoints") return to(peer.endpoints, ports);
  const address = addressMatch(peer, "daddr") ?? "";
  const named = ports?.filter(({ port }) => typeof port === "string") ?? [];
  return [
    ...portMatches(ports, undefined).map((port) => line(address, port)),
    // A name is looked for on every pod in the range.
    ...(named.length === 0 ? [] : to(world.endpoints, named, address)),
  ];
}

/** The condition on the address; undefined when no address can meet it. */
function addressMatch(peer: Peer, end: "saddr" | "daddr"): string | undefined {
  switch (peer.kind) {
    case "any":
      return "";
    case "range": {
      const except = peer.except.length === 0 ? "" : ` ip ${end} != { ${peer.except.join(", ")} }`;
      return `ip ${end} ${peer.range}${except}`;
    }
    case "endpoints": {
      const addresses = [...new Set(peer.endpoints.map(({ address }) => address))];
      return addresses.length === 0 ? undefined : `ip ${end} { ${addresses.join(", ")} }`;
    }
  }
}

function line(...conditions: readonly string[]): string {
  return [...conditions, "return"].filter((word) => word !== "").join(" ");
}

/** Condition on one packet's protocol and destination port in nftables' words; empty for any. */
type PortMatch = string;

/**
 * Conditions for the ports of a rule; a packet has to meet one of them.
 * @param ports as in a policy's rule; none at all means any port
 * @param target whose ports are meant, which gives names their numbers; undefined where only numbers can match
 */
function portMatches(
  ports: readonly V1NetworkPolicyPort[] | undefined,
  target: Endpoint | undefined,
): PortMatch[] {
  if (ports === undefined || ports.length === 0) return own(target);
  return ports.flatMap(({ protocol = "TCP", port, endPort }) => {
    const word = protocol.toLowerCase();
    if (port === undefined) return target?.only === undefined ? [`meta l4proto ${word}`] : own(target, word);
    const numbers = numbersOf(port, protocol, target).filter((n) => target?.only?.includes(n) ?? true);
    return numbers.map(
      (number) => `${word} dport ${endPort === undefined ? number : `${number}-${endPort}`}`,
    );
  });
}

/** All that belongs to the target: anything, unless it shares its address with others. */
function own(target: Endpoint | undefined, protocol = "th"): PortMatch[] {
  if (target?.only === undefined) return [""];
  const known = protocol === "th" ? "meta l4proto { tcp, udp } " : "";
  return [`${known}${protocol} dport { ${target.only.join(", ")} }`];
}

function numbersOf(port: number | string, protocol: string, target: Endpoint | undefined): number[] {
  if (typeof port === "number") return [port];
  return (target?.ports ?? [])
    .filter((candidate) => candidate.name === port && candidate.protocol === protocol)
    .map((candidate) => candidate.port);
}
