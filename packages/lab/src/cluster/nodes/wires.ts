import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { inside, type ProcessIdentity } from "../host/processes.ts";
import type { NodePlan } from "./plan.ts";

/** A node whose processes run. */
export interface RunningNode {
  node: NodePlan;
  init: ProcessIdentity;
}

/** The name, in the network of one node, of the link that leads to `other`: a wire can be cut or slowed down alone. */
export function wireTo(other: NodePlan): string {
  return `to-${other.name.replace(/^lab-/, "")}`;
}

/** What one end needs beside the link itself: the way to the other node and to its pods. In `ip -batch`'s words. */
export function endOfWire(own: NodePlan, other: NodePlan): string[] {
  const link = wireTo(other);
  return [
    `link set ${link} up`,
    `route add ${other.address}/32 dev ${link} src ${own.address}`,
    `route add ${other.pods} via ${other.address} dev ${link} onlink src ${own.address}`,
  ];
}

/**
 * Puts a wire between two nodes. Each pair has its own: no third node, and no filter of one, is in the way, and the
 * kernel takes the wire away with either end.
 */
export async function wire(one: RunningNode, other: RunningNode): Promise<void> {
  // The kernel takes a lost node's wires away in its own time.
  await ip(one, [`link delete ${wireTo(other.node)}`]).catch(() => {});
  const peer = `peer name ${wireTo(one.node)} netns ${other.init.pid}`;
  await ip(one, [`link add ${wireTo(other.node)} type veth ${peer}`]);
  await ip(one, endOfWire(one.node, other.node));
  await ip(other, endOfWire(other.node, one.node));
}

async function ip({ init }: RunningNode, lines: readonly string[]): Promise<void> {
  for (const line of lines) {
    const [program, ...args] = inside(init, ["net"], ["ip", ...line.split(" ")]);
    await promisify(execFile)(program, args);
  }
}
