/**
 * The network: cut between two nodes, cut between laptop and gateway, losing packets, and narrow. Cuts and losses are made
 * by the packet filter of one end. The kernels that this ran on have no `netem`, so no packet is made late as such: a
 * narrow link makes them wait for each other.
 */
import { wireTo } from "../../../packages/lab/src/cluster/nodes/wires.ts";
import { inNode, labNodes } from "../../support/lab/nodes.ts";
import { type Fault, type MayEnd, nothing } from "../fault.ts";
import { frpEndsOn } from "../placement.ts";
import { clearNetwork, drillTable } from "../repair.ts";
import { picked } from "../schedule.ts";

interface Wire {
  /** One end of it. */
  readonly node: string;
  readonly link: string;
  /** Both ends. */
  readonly target: string;
  readonly mayEnd: MayEnd;
}

/** A wire between two nodes. */
async function wireOf(pick: number): Promise<Wire> {
  const nodes = await labNodes();
  const pairs = nodes.flatMap((one, index) => nodes.slice(index + 1).map((other) => [one, other] as const));
  const [one, other] = picked(pairs, pick);
  const frp = (await frpEndsOn(one.name)) === 1 && (await frpEndsOn(other.name)) === 1;
  const mayEnd = { ...nothing, frp };
  return { node: one.name, link: wireTo(other), target: `${one.name} and ${other.name}`, mayEnd };
}

/** Puts rules into the packet filter of a node; before and after all else that happens to a packet. */
async function filter(node: string, rules: { readonly arriving: string; readonly leaving: string }) {
  const script = `table ${drillTable} {
  chain arriving { type filter hook prerouting priority -450; ${rules.arriving} drop; }
  chain leaving { type filter hook postrouting priority 450; ${rules.leaving} drop; }
}
`;
  await must(node, ["nft", "-f", "-"], script);
}

async function must(node: string, command: readonly string[], input?: string): Promise<void> {
  const { code, stderr } = await inNode(node, "net", command, input);
  if (code !== 0) throw new Error(`${command.join(" ")} on ${node}: ${stderr.trim()}`);
}

export const network: readonly Fault[] = [
  {
    name: "nodes-parted",
    lasts: [3, 20],
    async inject(pick) {
      const { node, link, target, mayEnd } = await wireOf(pick);
      await filter(node, { arriving: `iifname "${link}"`, leaving: `oifname "${link}"` });
      return { target, mayEnd, heal: () => clearNetwork(node) };
    },
  },
  {
    name: "link-lossy",
    lasts: [5, 20],
    async inject(pick) {
      const { node, link, target, mayEnd } = await wireOf(pick);
      const lost = "numgen random mod 100 < 15";
      await filter(node, { arriving: `iifname "${link}" ${lost}`, leaving: `oifname "${link}" ${lost}` });
      return { target, mayEnd, heal: () => clearNetwork(node) };
    },
  },
  {
    name: "link-narrow",
    lasts: [5, 20],
    async inject(pick) {
      const { node, link, target, mayEnd } = await wireOf(pick);
      const shape = ["tbf", "rate", "512kbit", "burst", "16kb", "latency", "400ms"];
      await must(node, ["tc", "qdisc", "replace", "dev", link, "root", ...shape]);
      const heal = () => must(node, ["tc", "qdisc", "delete", "dev", link, "root"]);
      return { target, mayEnd, heal };
    },
  },
  {
    name: "gateway-unreachable",
    lasts: [3, 20],
    async inject(_, { address }) {
      // The laptop is a program of the first node, where each packet of a connection is judged before it is rewritten.
      const [first] = await labNodes();
      if (first === undefined) throw new Error("a lab has at least one node");
      const script = `table ${drillTable} {
  chain sent { type filter hook output priority -450; ip daddr ${address} drop; }
  chain received { type filter hook input priority 450; ct original ip daddr ${address} drop; }
}
`;
      await must(first.name, ["nft", "-f", "-"], script);
      return { target: address, mayEnd: nothing, heal: () => clearNetwork(first.name) };
    },
  },
];
