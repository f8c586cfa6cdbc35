/** The network of nodes: each has its own, and a wire to each other one. */
import { writeFile } from "node:fs/promises";
import { addresses } from "../addresses.ts";
import { exec, inside, type ProcessIdentity } from "../host/processes.ts";
import type { Step } from "../supervisor/graph.ts";
import type { NodePlan } from "./plan.ts";

/** A node whose processes run. */
export interface RunningNode {
  node: NodePlan;
  init: ProcessIdentity;
}

/** The link to `other` in a node's network namespace. Each has a name, so that one can be cut or slowed down alone. */
export function wireTo(other: NodePlan): string {
  return `to-${other.name.replace(/^lab-/, "")}`;
}

/** What a card of a machine is called outside, by the node that it leads to. */
export const cardOf = (other: NodePlan): string => wireTo(other).slice("to-".length);

/** Commands for `ip` that bring one end up and route to the other node and its pods. */
export function endOfWire(own: NodePlan, other: NodePlan): string[] {
  const link = wireTo(other);
  return [
    `link set ${link} up`,
    `route add ${other.address}/32 dev ${link} src ${own.address}`,
    `route add ${other.pods} via ${other.address} dev ${link} onlink src ${own.address}`,
  ];
}

/**
 * Puts a wire between two nodes. Each pair has its own, so that no third node and no packet filter of one is in the
 * way, and the kernel removes the wire when either end goes.
 */
export async function wire(one: RunningNode, other: RunningNode): Promise<void> {
  // A node that was lost and is back may still have its old wire: the kernel removes it late.
  await ip(one, [`link delete ${wireTo(other.node)}`]).catch(() => {});
  const peer = `peer name ${wireTo(one.node)} netns ${other.init.pid}`;
  await ip(one, [`link add ${wireTo(other.node)} type veth ${peer}`]);
  await ip(one, outsideEnd(one.node, other.node));
  await ip(other, outsideEnd(other.node, one.node));
}

/** A machine finds one card for each other node, in the plan's order, and makes its ends of the wires of them. */
export function cards(node: NodePlan, nodes: readonly NodePlan[]): string[] {
  if (!node.machine) return [];
  return nodes
    .filter(({ name }) => name !== node.name)
    .flatMap((other, index) => [`link set eth${index} name ${wireTo(other)}`, ...endOfWire(node, other)]);
}

/** Of a machine only the card's bridge is outside (`machine/power.sh`). */
export function outsideEnd(own: NodePlan, other: NodePlan): string[] {
  if (!own.machine) return endOfWire(own, other);
  return [`link set ${wireTo(other)} master card-${cardOf(other)} up`];
}

async function ip({ init }: RunningNode, lines: readonly string[]): Promise<void> {
  for (const line of lines) {
    const [program, ...args] = inside(init, ["net"], ["ip", ...line.split(" ")]);
    await exec(program, args);
  }
}

/**
 * The node's address, on a bridge since kubelet refuses a loopback address, and routes so that packets to virtual
 * addresses get as far as the rules that rewrite them.
 */
const links = (address: string): string[] => [
  "link set lo up",
  "link add node0 type bridge",
  `address add ${address}/32 dev node0`,
  "link set node0 up",
  `route add ${addresses.services} dev node0 src ${address}`,
  `route add ${addresses.loadBalancers} dev node0 src ${address}`,
];

/** The network of one node. A wire to another node is added once both are up. */
export function network(node: NodePlan, nodes: readonly NodePlan[]): Step {
  return {
    name: "network",
    after: [],
    run: async () => {
      for (const line of [...links(node.address), ...cards(node, nodes)]) await exec("ip", line.split(" "));
      await writeFile("/proc/sys/net/ipv4/ip_forward", "1");
    },
  };
}
