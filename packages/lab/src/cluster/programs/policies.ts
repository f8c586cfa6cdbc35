import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { KubeObject } from "../../kube/object.ts";
import { addresses } from "../addresses.ts";
import { exec } from "../host/processes.ts";
import type { NodePlan } from "../nodes/plan.ts";
import type { Plan } from "../plan.ts";
import type { Step } from "../supervisor/graph.ts";
import type { Program } from "../supervisor/keeper.ts";
import { manifestsBeside } from "./manifests.ts";

/** The engine's own default. */
const queue = 100;

/** What the engine may read, of its own manifest. */
export const policyObjects = async ({ tools }: Plan): Promise<KubeObject[]> =>
  (await manifestsBeside(tools["kube-network-policies"], "install.yaml")).filter(
    ({ kind }) => kind !== "DaemonSet",
  );

/**
 * Hands what begins a connection of a pod to the engine, where a Service's address is a pod's already and no sender is
 * masked yet. The engine's own rules are nftables', whose queues few kernels of virtual machines have; and they take no
 * pod whose address the API server does not know yet, and nothing that is for the node itself. Without the engine all of
 * it is dropped. As there, root of the node reaches its pods, as kubelet has to.
 */
const rules = [
  "POSTROUTING -m owner --uid-owner 0 -j RETURN",
  ...["POSTROUTING -s", "POSTROUTING -d", "INPUT -s"].map(
    (packets) =>
      `${packets} ${addresses.pods} -m conntrack ! --ctstate ESTABLISHED,RELATED -j NFQUEUE --queue-num ${queue}`,
  ),
];

export const policyRules: Step = {
  name: "policy rules",
  after: ["network"],
  run: async () => {
    for (const rule of rules) await exec("iptables", ["-w", "-t", "mangle", "-A", ...rule.split(" ")]);
  },
};

/** SIG-Network's engine of NetworkPolicy. From containerd it hears of a pod's address before the pod begins. */
export function networkPolicies({ tools, layout }: Plan, node: NodePlan): Program {
  return {
    name: "kube-network-policies",
    after: ["policy rules", "containerd", "kube-apiserver"],
    command: tools["kube-network-policies"],
    args: [join(layout.kubeconfigs, "kube-network-policies"), node.name],
    ready: async () =>
      (await readFile("/proc/net/netfilter/nfnetlink_queue", "utf8")).trim().startsWith(`${queue} `),
  };
}
