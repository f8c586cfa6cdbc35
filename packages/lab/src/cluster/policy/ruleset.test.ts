import type { V1NetworkPolicy } from "@kubernetes/client-node";
import { expect, test } from "vitest";
import { type Endpoint, standIns } from "./peers.ts";
import { ruleset } from "./ruleset.ts";

const pod = (namespace: string, address: string, labels: Record<string, string>): Endpoint => ({
  namespace,
  labels,
  address,
  ports: [{ name: "ssh", protocol: "TCP", port: 2222 }],
});
const sshd = pod("team-a", "10.244.0.5", { app: "sshd" });
const friend = pod("team-a", "10.244.0.6", { app: "friend" });
const gateway = pod("edge", "10.244.0.7", { app: "gateway" });
const world = {
  namespaces: new Map([
    ["team-a", {}],
    ["edge", { role: "gateway" }],
    ["kube-system", { "kubernetes.io/metadata.name": "kube-system" }],
  ]),
  endpoints: [sshd, friend, gateway, ...standIns],
};

/** The rules of one chain, without those that every chain has. */
function chainOf(name: string, spec: object): string[] {
  const policy = { metadata: { namespace: "team-a" }, spec } as V1NetworkPolicy;
  const lines = ruleset([sshd, friend, gateway], [policy], world).split("\n");
  const begin = lines.indexOf(`  chain ${name} {`);
  return begin === -1 ? [] : lines.slice(begin + 2, lines.indexOf("  }", begin)).map((line) => line.trim());
}
const selectsSshd = { podSelector: { matchLabels: { app: "sshd" } } };
const ingress = (rule: object) => ({ ...selectsSshd, policyTypes: ["Ingress"], ingress: [rule] });
const egress = (rule: object) => ({ ...selectsSshd, policyTypes: ["Egress"], egress: [rule] });

test("without policies nothing is judged", () => {
  expect(ruleset([sshd], [], world)).toBe(`table inet drawbridge_policy
delete table inet drawbridge_policy
table inet drawbridge_policy {
  chain forward {
    type filter hook forward priority filter - 10; policy accept;
    ct direction reply accept
    ct state related accept
  }
  chain input {
    type filter hook input priority filter - 10; policy accept;
    ct direction reply accept
    ct state related accept
  }
}
`);
});

test("the whole of one policy", () => {
  const policy = { metadata: { namespace: "team-a" }, spec: ingress({}) } as V1NetworkPolicy;
  expect(ruleset([sshd, friend], [policy], world)).toBe(`table inet drawbridge_policy
delete table inet drawbridge_policy
table inet drawbridge_policy {
  chain ingress_10_244_0_5 {
    ip saddr 10.244.0.5 ip daddr 10.244.0.5 return
    return
    drop
  }
  chain forward {
    type filter hook forward priority filter - 10; policy accept;
    ct direction reply accept
    ct state related accept
    ip daddr vmap { 10.244.0.5 : jump ingress_10_244_0_5 }
  }
  chain input {
    type filter hook input priority filter - 10; policy accept;
    ct direction reply accept
    ct state related accept
  }
}
`);
});

test("with an address that is no known pod's no connection begins", () => {
  const lines = ruleset([], [], world, ["10.244.0.9", "10.244.0.10"]).split("\n");
  expect(lines.filter((line) => line.includes("10.244")).map((line) => line.trim())).toEqual([
    "ct state new ip saddr { 10.244.0.9, 10.244.0.10 } drop",
    "ct state new ip daddr { 10.244.0.9, 10.244.0.10 } drop",
    "ct state new ip saddr { 10.244.0.9, 10.244.0.10 } drop",
  ]);
});

test("a policy with no rule closes the pods it selects, and no others", () => {
  expect(chainOf("ingress_10_244_0_5", selectsSshd)).toEqual(["drop"]);
  expect(chainOf("egress_10_244_0_5", selectsSshd)).toEqual([]);
  expect(chainOf("ingress_10_244_0_6", selectsSshd)).toEqual([]);
});

test.each([
  [
    "pods of its own namespace",
    { from: [{ podSelector: {} }] },
    ["ip saddr { 10.244.0.5, 10.244.0.6 } return"],
  ],
  [
    "pods of selected namespaces",
    { from: [{ namespaceSelector: { matchLabels: { role: "gateway" } } }] },
    ["ip saddr { 10.244.0.7 } return"],
  ],
  [
    "only the pods selected there",
    { from: [{ namespaceSelector: {}, podSelector: { matchLabels: { app: "friend" } } }] },
    ["ip saddr { 10.244.0.6 } return"],
  ],
  ["nobody, when nobody is selected", { from: [{ podSelector: { matchLabels: { app: "x" } } }] }, []],
  [
    "a range but for parts of it",
    { from: [{ ipBlock: { cidr: "10.0.0.0/8", except: ["10.1.0.0/16", "10.2.0.0/16"] } }] },
    ["ip saddr 10.0.0.0/8 ip saddr != { 10.1.0.0/16, 10.2.0.0/16 } return"],
  ],
  ["no range of IPv6", { from: [{ ipBlock: { cidr: "::/0" } }] }, []],
  ["a port by number", { ports: [{ port: 22 }] }, ["tcp dport 22 return"]],
  ["a port by name", { ports: [{ port: "ssh" }] }, ["tcp dport 2222 return"]],
  ["no port by another protocol's name", { ports: [{ port: "ssh", protocol: "UDP" }] }, []],
  [
    "a range of ports",
    { ports: [{ port: 100, endPort: 200, protocol: "UDP" }] },
    ["udp dport 100-200 return"],
  ],
  ["a whole protocol", { ports: [{ protocol: "UDP" }] }, ["meta l4proto udp return"]],
])("ingress lets through %s", (_, rule, rules) => {
  expect(chainOf("ingress_10_244_0_5", ingress(rule))).toEqual([...rules, "drop"]);
});

const dns = { namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "kube-system" } } };
test.each([
  [
    "peers at their own port of that name",
    { to: [{ podSelector: { matchLabels: { app: "friend" } } }], ports: [{ port: "ssh" }] },
    ["ip daddr 10.244.0.6 tcp dport 2222 return"],
  ],
  ["a range", { to: [{ ipBlock: { cidr: "10.201.0.1/32" } }] }, ["ip daddr 10.201.0.1/32 return"]],
  [
    "the cluster's DNS and nothing else at the node's address",
    { to: [dns] },
    ["ip daddr 10.201.0.1 meta l4proto { tcp, udp } th dport { 53 } return"],
  ],
  [
    "the cluster's DNS by port, and none of the node's other ports",
    { to: [dns], ports: [{ port: 53, protocol: "UDP" }, { port: 6443 }] },
    ["ip daddr 10.201.0.1 udp dport 53 return"],
  ],
  [
    "a port by name on every pod that has one",
    { ports: [{ port: "ssh" }] },
    ["5", "6", "7"].map((end) => `ip daddr 10.244.0.${end} tcp dport 2222 return`),
  ],
  [
    "a port by name in a range, and one by number",
    { to: [{ ipBlock: { cidr: "10.244.0.6/31" } }], ports: [{ port: "ssh" }, { port: 80 }] },
    [
      "ip daddr 10.244.0.6/31 tcp dport 80 return",
      ...["5", "6", "7"].map(
        (end) => `ip daddr 10.244.0.6/31 ip daddr 10.244.0.${end} tcp dport 2222 return`,
      ),
    ],
  ],
])("egress lets through %s", (_, rule, rules) => {
  expect(chainOf("egress_10_244_0_5", egress(rule))).toEqual([...rules, "drop"]);
});
