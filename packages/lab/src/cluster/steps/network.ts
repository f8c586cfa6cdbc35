import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { promisify } from "node:util";
import { addresses } from "../addresses.ts";
import type { NodePlan } from "../nodes/plan.ts";
import { cards } from "../nodes/wires.ts";
import type { Step } from "../supervisor/graph.ts";

const run = promisify(execFile);

/** Kernel settings of the node's network namespace. */
const sysctls: Record<string, string> = {
  "net/ipv4/ip_forward": "1",
  // Traffic between two pods crosses a bridge; Services and policies need it to pass the packet filter as well.
  "net/bridge/bridge-nf-call-iptables": "1",
};

/**
 * The node's address, on a bridge since kubelet refuses a loopback address, and routes so that packets to virtual
 * addresses get as far as the rules that rewrite them.
 */
const links = (address: string): readonly (readonly string[])[] => [
  ["link", "set", "lo", "up"],
  ["link", "add", "node0", "type", "bridge"],
  ["address", "add", `${address}/32`, "dev", "node0"],
  ["link", "set", "node0", "up"],
  ["route", "add", addresses.services, "dev", "node0", "src", address],
  ["route", "add", addresses.loadBalancers, "dev", "node0", "src", address],
];

/** The network of one node. A wire to another node is added once both are up. */
export function network(node: NodePlan, nodes: readonly NodePlan[]): Step {
  return {
    name: "network",
    after: [],
    run: async () => {
      for (const args of links(node.address)) await run("ip", args);
      for (const line of cards(node, nodes)) await run("ip", line.split(" "));
      for (const [name, value] of Object.entries(sysctls)) await writeFile(`/proc/sys/${name}`, value);
    },
  };
}
