/** A team writes the NetworkPolicies of its containers itself. They may open the internet, and nothing private. */
import type { AdmissionPolicy } from "../kubernetes/admission.ts";
import { egressAllowAnnotation, namespaceNameLabel, selectorLabels } from "../kubernetes/labels.ts";
import { nodeLocalDns, privateNetworks } from "../kubernetes/networks.ts";

const rules = "object.spec.?egress.orValue([])";

/** CEL: `test` holds for every peer of every rule. */
const everyPeer = (test: string) => `${rules}.all(rule, rule.?to.orValue([]).all(peer, ${test}))`;

const dnsOnly =
  "rule.?ports.orValue([]).size() > 0 && rule.?ports.orValue([]).all(port, port.?port.orValue(0) == 53 && !has(port.endPort))";

/** A network that touches a private one must leave it out, or lie in one that the platform allows. */
const block = [
  `variables.private.all(network, !(network.containsCIDR(peer.ipBlock.cidr) || cidr(peer.ipBlock.cidr).containsCIDR(network)) || peer.ipBlock.?except.orValue([]).exists(hole, cidr(hole).containsCIDR(network)))`,
  "variables.allowed.exists(network, network.containsCIDR(peer.ipBlock.cidr))",
  `(peer.ipBlock.cidr == '${nodeLocalDns}' && ${dnsOnly})`,
].join(" || ");

const namespaceOf = `peer.namespaceSelector.?matchLabels[?'${namespaceNameLabel}'].orValue('')`;
const labelOf = (key: string) => `peer.?podSelector.?matchLabels[?'${key}'].orValue('')`;
const [[component, frpServer]] = Object.entries(selectorLabels("frp-server", "")) as [[string, string]];
const [[, egressGateway]] = Object.entries(selectorLabels("egress-gateway", "")) as [[string, string]];

const pods = [
  `${namespaceOf} == request.namespace`,
  `(${namespaceOf} == 'kube-system' && ${labelOf("k8s-app")} == 'kube-dns' && ${dnsOnly})`,
  `${labelOf(component)} in ['${frpServer}', '${egressGateway}']`,
].join(" || ");

export const egressPolicy: AdmissionPolicy = {
  name: "team-egress",
  requests: [{ apiGroup: "networking.k8s.io", resources: ["networkpolicies"] }],
  inTeams: true,
  variables: [
    {
      name: "private",
      expression: `[${[...privateNetworks.ipv4, ...privateNetworks.ipv6].map((network) => `cidr('${network}')`).join(", ")}]`,
    },
    {
      name: "allowed",
      expression: `namespaceObject.metadata.?annotations[?'${egressAllowAnnotation}'].orValue('').split(',').filter(network, isCIDR(network)).map(network, cidr(network))`,
    },
  ],
  rules: [
    {
      expression: `${rules}.all(rule, rule.?to.orValue([]).size() > 0)`,
      message: "an egress rule without `to` opens everything; name the peers",
    },
    {
      expression: everyPeer(`!has(peer.ipBlock) || ${block}`),
      messageExpression: `'an ipBlock of an egress rule must leave out private networks (' + variables.private.map(network, string(network)).join(', ') + '), unless the platform allows them: annotation ${egressAllowAnnotation} of the namespace'`,
    },
    {
      expression: everyPeer(`!has(peer.namespaceSelector) || ${pods}`),
      message:
        "an egress rule may name pods of its own namespace, the cluster's DNS (kube-dns in kube-system, port 53), frps and the egress gateway; for others ask the platform",
    },
  ],
};
