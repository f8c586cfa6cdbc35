/** A team writes the NetworkPolicies of its containers itself. They may open the internet, and nothing private. */
import type { AdmissionPolicy } from "../kubernetes/admission.ts";
import {
  egressAllowAnnotation,
  egressHostsAnnotation,
  namespaceNameLabel,
  selectorLabels,
} from "../kubernetes/labels.ts";
import { egressGrantPrefix } from "../kubernetes/names.ts";
import { nodeLocalDns, privateNetworks } from "../kubernetes/networks.ts";

const rules = "object.spec.?egress.orValue([])";

/** CEL: `test` holds for every peer of every rule. */
const everyPeer = (test: string, all = rules) => `${all}.all(rule, rule.?to.orValue([]).all(peer, ${test}))`;

const dnsOnly =
  "rule.?ports.orValue([]).size() > 0 && rule.?ports.orValue([]).all(port, port.?port.orValue(0) == 53 && !has(port.endPort))";

/** The annotation by which the platform lets a team reach the internet by name alone. */
const hosts = `namespaceObject.metadata.?annotations[?'${egressHostsAnnotation}']`;

/** A network that the platform allows, or the node-local DNS. */
const allowed = [
  "variables.allowed.exists(network, network.containsCIDR(peer.ipBlock.cidr))",
  `(peer.ipBlock.cidr == '${nodeLocalDns}' && ${dnsOnly})`,
].join(" || ");

/** A network that touches a private one must leave it out, or be allowed. */
const block = `variables.private.all(network, !(network.containsCIDR(peer.ipBlock.cidr) || cidr(peer.ipBlock.cidr).containsCIDR(network)) || peer.ipBlock.?except.orValue([]).exists(hole, cidr(hole).containsCIDR(network))) || ${allowed}`;

const namespaceOf = `peer.namespaceSelector.?matchLabels[?'${namespaceNameLabel}'].orValue('')`;
const labelOf = (key: string) => `peer.?podSelector.?matchLabels[?'${key}'].orValue('')`;
const [[component, frpServer]] = Object.entries(selectorLabels("frp-server", "")) as [[string, string]];
const [[, egressGateway]] = Object.entries(selectorLabels("egress-gateway", "")) as [[string, string]];

const pods = [
  `${namespaceOf} == request.namespace`,
  `(${namespaceOf} == 'kube-system' && ${labelOf("k8s-app")} == 'kube-dns' && ${dnsOnly})`,
  `${labelOf(component)} in ['${frpServer}', '${egressGateway}']`,
].join(" || ");

const allowedNetworks = {
  name: "allowed",
  expression: `namespaceObject.metadata.?annotations[?'${egressAllowAnnotation}'].orValue('').split(',').filter(network, isCIDR(network)).map(network, cidr(network))`,
};

export const egressPolicy: AdmissionPolicy = {
  name: "team-egress",
  requests: [{ apiGroup: "networking.k8s.io", resources: ["networkpolicies"] }],
  inTeams: true,
  variables: [
    {
      name: "private",
      expression: `[${[...privateNetworks.ipv4, ...privateNetworks.ipv6].map((network) => `cidr('${network}')`).join(", ")}]`,
    },
    allowedNetworks,
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

/** CEL: whether all that one host stands for is what a bound stands for too (`isHostWithin` of host/egress/contract.ts). */
const isWithin = [
  "(bound.startsWith('*.') ? host.split(':')[0].endsWith(bound.split(':')[0].substring(1)) : host.split(':')[0] == bound.split(':')[0])",
  "(bound.contains(':') ? host.endsWith(':' + bound.split(':')[1]) : (!host.contains(':') || host.endsWith(':443') || host.endsWith(':80')))",
].join(" && ");

/**
 * For a team whose hosts the platform bounds: what a container may reach by name stands in its grant, which the team writes
 * too, and nothing public is reached otherwise.
 */
export const egressHostsPolicy: AdmissionPolicy = {
  name: "team-egress-hosts",
  requests: [
    { apiGroup: "", resources: ["configmaps"] },
    { apiGroup: "networking.k8s.io", resources: ["networkpolicies"] },
  ],
  inTeams: true,
  conditions: [
    {
      name: "grant",
      expression: `request.resource.resource != 'configmaps' || object.metadata.name.startsWith('${egressGrantPrefix}')`,
    },
  ],
  variables: [
    allowedNetworks,
    { name: "bounded", expression: `${hosts}.hasValue()` },
    { name: "bounds", expression: `${hosts}.orValue('').split(',')` },
    {
      name: "beyond",
      expression: `object.?data[?'hosts'].orValue('').split('\\n').filter(host, host != '' && !variables.bounds.exists(bound, ${isWithin}))`,
    },
  ],
  rules: [
    {
      expression:
        "!variables.bounded || request.resource.resource != 'configmaps' || variables.beyond.size() == 0",
      messageExpression: `variables.beyond.join(', ') + ': beyond the hosts that the platform lets this team name, annotation ${egressHostsAnnotation} of the namespace'`,
    },
    {
      expression: `!variables.bounded || request.resource.resource != 'networkpolicies' || ${everyPeer(`!has(peer.ipBlock) || ${allowed}`, "object.?spec.?egress.orValue([])")}`,
      message: `the platform lets this team reach the internet by name alone: set egress: { gateway, hosts } of the container, hosts of the namespace's annotation ${egressHostsAnnotation}`,
    },
  ],
};
