/** What a team may tell Istio about endpoints and TLS, and what nobody may claim of a team's names. */
import { type AdmissionPolicy, inATeam, noDnsNames } from "../kubernetes/admission.ts";
import { coversClusterNames } from "./route.ts";

const istio = "networking.istio.io";

/** The one kind of Istio's that a team's stack holds, for its rights. */
export const routeKind = { apiGroups: [istio], resources: ["virtualservices"] };

const serviceName = "'^([a-z0-9]([-a-z0-9]*[a-z0-9])?[.])+[a-z]([-a-z0-9]*[a-z0-9])?[.]?$'";

/** CEL: whether an address of a ServiceEntry is outside the proxy that dials it. */
const outside = [
  "isIP(address) ? !(ip(address).isLoopback() || ip(address).isLinkLocalUnicast() || ip(address).isUnspecified())",
  `address.lowerAscii().matches(${serviceName}) && !address.lowerAscii().matches('(^|[.])localhost[.]?$')`,
].join(" : ");

const exportedToItself = "object.spec.?exportTo.orValue([]) == ['.']";

/** @param whose who would obey an exported one */
const mustNotBeExported = (kind: string, whose: string) => ({
  expression: exportedToItself,
  message: `a team's ${kind} must not be exported: ${whose} sidecars would obey it; write exportTo: ['.']`,
});

/**
 * A route names its destination by a Service's name, so nobody else may give that name other endpoints. Teams have
 * routes, so they may claim no such name at all.
 */
const namesPolicy: AdmissionPolicy = {
  name: "service-entries",
  requests: [{ apiGroup: istio, resources: ["serviceentries"] }],
  rules: [
    {
      expression: `object.spec.?hosts.orValue([]).all(host, !${coversClusterNames("host")} || (!${inATeam} && host.matches('^[^.]+[.]' + request.namespace + '[.]svc[.]cluster[.]local$')))`,
      messageExpression:
        "'a ServiceEntry may claim no name below svc.cluster.local but <name>.' + request.namespace + '.svc.cluster.local, and in a team\\'s namespace not that'",
    },
  ],
};

/**
 * A route in the mesh holds for every sidecar that it is exported to, and may name anybody's Service; one of the Gateway
 * API's names the Service whose callers it is for.
 */
const routesPolicy: AdmissionPolicy = {
  name: "team-routes",
  requests: [
    { apiGroup: istio, resources: ["virtualservices"] },
    {
      apiGroup: "gateway.networking.k8s.io",
      resources: ["httproutes", "grpcroutes", "tcproutes", "tlsroutes", "udproutes"],
    },
  ],
  inTeams: true,
  variables: [{ name: "gateways", expression: "object.spec.?gateways.orValue([])" }],
  rules: [
    {
      expression: `request.resource.group != '${istio}' || (variables.gateways.size() > 0 && !('mesh' in variables.gateways)) || ${exportedToItself}`,
      message:
        "a team's route must name gateways other than mesh: others' sidecars would obey it; for those of its own namespace write exportTo: ['.']",
    },
    {
      expression:
        "object.spec.?parentRefs.orValue([]).all(parent, parent.?kind.orValue('Gateway') == 'Gateway' || parent.?namespace.orValue(request.namespace) == request.namespace)",
      message:
        "a team's route may belong to Services of its own namespace alone: others' callers would obey it",
    },
    noDnsNames,
  ],
};

const mostInstances = 1024;
/** CEL: how often istiod multiplies by a list, of which an empty one counts once. */
const sizeOf = (list: string) =>
  `(object.spec.?${list}.orValue([]).size() > 0 ? object.spec.${list}.size() : 1)`;

const entriesPolicy: AdmissionPolicy = {
  name: "team-service-entries",
  requests: [{ apiGroup: istio, resources: ["serviceentries"] }],
  inTeams: true,
  rules: [
    mustNotBeExported("ServiceEntry", "others'"),
    {
      expression: `object.spec.?endpoints.orValue([]).map(to, to.?address.orValue('')).all(address, ${outside})`,
      message:
        "an endpoint of a team's ServiceEntry must be a full host name or an address that is not loopback, link-local or a unix socket",
    },
    {
      expression: `!has(object.spec.workloadSelector) && object.spec.hosts.size() * ${["ports", "endpoints", "addresses"].map(sizeOf).join(" * ")} <= ${mostInstances}`,
      message: `a team's ServiceEntry may have no workloadSelector, and hosts, ports, endpoints and addresses of at most ${mostInstances} combinations: istiod holds each of them in memory`,
    },
  ],
};

/** An ordinary Service would select them, and lead wherever they say. */
export const workloadEntries = { apiGroup: istio, resources: ["workloadentries", "workloadgroups"] };

/** istiod makes DestinationRules of them that everybody obeys. */
export const backendPolicies = [
  { apiGroup: "gateway.networking.k8s.io", resources: ["backendtlspolicies"] },
  { apiGroup: "gateway.networking.x-k8s.io", resources: ["xbackendtrafficpolicies"] },
];

/**
 * A DestinationRule in a Service's own namespace governs how everybody dials it. It could name the gateway's files and keys,
 * and each of its subsets is one more cluster in every gateway for each port.
 */
const rulesPolicy: AdmissionPolicy = {
  name: "team-destination-rules",
  requests: [{ apiGroup: istio, resources: ["destinationrules"] }],
  inTeams: true,
  rules: [mustNotBeExported("DestinationRule", "the gateway and others'")],
};

export const istioPolicies: readonly AdmissionPolicy[] = [
  namesPolicy,
  routesPolicy,
  entriesPolicy,
  rulesPolicy,
];
