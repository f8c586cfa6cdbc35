import { nodeName } from "../addresses.ts";
import { furtherNodeLayout, type Layout, type NodeLayout } from "../layout.ts";

/** A node, as it is decided before anything of it runs. */
export interface NodePlan {
  name: string;
  /** In 10.201.0.0/24, on a bridge of the node's own. */
  address: string;
  /** Its pods' addresses, a part of the cluster's. */
  pods: string;
  /** File name of its kubelet's certificate and kubeconfig. */
  kubelet: string;
  layout: NodeLayout;
  /** Whether it is an emulated machine with a kernel of its own. Default: no. */
  machine?: boolean;
}

/**
 * The time between two looks for something. Short, since a start waits some ten times, one after the other; a machine could do
 * nothing else then.
 */
export const lookEveryMs = ({ machine = false }: Pick<NodePlan, "machine"> = {}): number =>
  machine ? 2000 : 50;

/** Time allowed for a step towards a node. */
export const stepSeconds = ({ machine = false }: Pick<NodePlan, "machine"> = {}): number =>
  machine ? 1200 : 120;

/** Nodes that share this computer's kernel and folders. */
export const sharedNodes = (nodes: readonly NodePlan[]): NodePlan[] =>
  nodes.filter(({ machine }) => !machine);

/** As many as the address plan and two cores could carry at all; each takes memory, see packages/lab/README.md. */
const mostNodes = 9;

/** A number of nodes that a person gave. */
export function checkedNodes(count: number): number {
  if (Number.isInteger(count) && count >= 1 && count <= mostNodes) return count;
  throw new Error(`a lab cannot have ${count} nodes; use a whole number from 1 to ${mostNodes}`);
}

/** The nodes of an instance, the first with the control plane, and the machine after those that are counted. */
export function planNodes(layout: Layout, count: number, machine = false): NodePlan[] {
  return Array.from({ length: checkedNodes(count) + Number(machine) }, (_, index) => {
    const name = index === 0 ? nodeName : `${nodeName}-${index + 1}`;
    return {
      name,
      address: `10.201.0.${index + 1}`,
      pods: `10.244.${index}.0/24`,
      kubelet: index === 0 ? "kubelet" : `kubelet-${name}`,
      layout: index === 0 ? layout : furtherNodeLayout(layout, name),
      ...(index === count ? { machine } : {}),
    };
  });
}
