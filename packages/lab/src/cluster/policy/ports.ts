import type { V1NetworkPolicyPort } from "@kubernetes/client-node";
import type { Endpoint } from "./peers.ts";

/** Condition on one packet's protocol and destination port in nftables' words; empty for any. */
export type PortMatch = string;

/**
 * Conditions for the ports of a rule; a packet has to meet one of them.
 * @param ports as in a policy's rule; none at all means any port
 * @param target whose ports are meant, which gives names their numbers; undefined where only numbers can match
 */
export function portMatches(
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
