import { at, ends, kindOf, type Rule } from "../finding.ts";

export const loadBalancerReplaced: Rule = {
  name: "load-balancer-replaced",
  protects: "addresses: clients keep the address they have",
  check: (change) => {
    const isBalancer = kindOf(change) === "Service" && at(change.before, "spec", "type") === "LoadBalancer";
    if (!isBalancer) return [];
    if (ends(change))
      return [`the LoadBalancer ${change.name} would be replaced or deleted, and with it its address`];
    const type = at(change.after, "spec", "type");
    return change.op === "update" && type !== "LoadBalancer"
      ? [`the Service ${change.name} would stop being a LoadBalancer and lose its address`]
      : [];
  },
};
