/** Where a Service of a team's namespace leads: to pods of that namespace, at the addresses that the cluster gave them. */

import { most } from "../istio/team-limits.ts";
import { backendPolicies, workloadEntries } from "../istio/team-policies.ts";
import { type AdmissionPolicy, mayEverywhere, noDnsNames } from "../kubernetes/admission.ts";
import { ownedByPlatform, selectorLabels } from "../kubernetes/labels.ts";

/** A service account that writes EndpointSlices. */
export interface SliceWriter {
  readonly namespace: string;
  readonly serviceAccount: string;
}

export function addressPolicies(activator?: SliceWriter): AdmissionPolicy[] {
  return [servicesPolicy, quotasPolicy, endpointsPolicy(activator)];
}

const [[partKey, platformPart]] = Object.entries(ownedByPlatform) as [[string, string]];

const servicesPolicy: AdmissionPolicy = {
  name: "team-services",
  requests: [{ apiGroup: "", resources: ["services"] }],
  inTeams: true,
  rules: [
    {
      expression: "object.spec.?type.orValue('ClusterIP') != 'ExternalName'",
      message: "a Service of a team's namespace may not be an ExternalName: it would lead wherever it likes",
    },
    {
      expression: "object.spec.?externalIPs.orValue([]).size() == 0",
      message:
        "a Service of a team's namespace may not have externalIPs: it would catch what others send there",
    },
    {
      // Its slices would stay as they are, and lead to the pods that get the addresses of its pods next.
      expression: `object.spec.?selector.orValue({}).size() > 0 || object.metadata.?labels[?'${partKey}'].orValue('') == '${platformPart}'`,
      message:
        "a Service of a team's namespace has a selector: without one it would lead to others' pods, once these have its pods' addresses; hosts outside are the Team's outsideHosts",
    },
    {
      expression: `object.spec.?ports.orValue([]).size() <= ${most.servicePorts}`,
      message: `a Service of a team's namespace may have at most ${most.servicePorts} ports: each fills the memory of every gateway`,
    },
    {
      expression: `bytes('%s'.format([object.metadata.?labels.orValue({})])).size() <= ${most.serviceLabelBytes}`,
      message: `the labels of a Service of a team's namespace may take at most ${most.serviceLabelBytes} bytes: each of its slices repeats them`,
    },
    noDnsNames,
  ],
};

/** A controller that may make no further slice for a Service leaves the others as they are, as without a selector. */
const quotasPolicy: AdmissionPolicy = {
  name: "team-quotas",
  requests: [{ apiGroup: "", resources: ["resourcequotas"] }],
  inTeams: true,
  rules: [
    {
      expression: `object.spec.?hard.orValue({}).all(name, !name.contains('endpointslices')) || ${mayEverywhere("update")}`,
      message:
        "a quota of a team's namespace does not count endpointslices: Services would lead to pods that are gone",
    },
  ],
};

/**
 * Statuses that only programs with rights everywhere write: an address, an allocated device, a date. A claim's is not among
 * them, since a node may write it for the claims of its own pods alone.
 */
const reported = {
  "": ["pods/status", "services/status", "replicationcontrollers/status", "resourcequotas/status"],
  apps: ["*/status"],
  autoscaling: ["*/status"],
  batch: ["*/status"],
  policy: ["*/status"],
  "resource.k8s.io": ["resourceclaims/status"],
};

/**
 * Only the kubelet writes a pod's address, only a controller a LoadBalancer's (which every node obeys), only the control
 * plane slices: a forged one would lead a Service wherever it says. A CronJob that last ran in the year 1 keeps its
 * controller busy for ever, a binding takes a pod past the scheduler, and policies of a network plugin add to what the
 * team's own may open. Of the cluster's own programs the scheduler may only create, and the pod garbage collector, which
 * marks pods of a lost node as failed, only patch.
 */
function endpointsPolicy(activator: SliceWriter | undefined): AdmissionPolicy {
  const anywhere = `(request.operation == 'CREATE' ? ${mayEverywhere("create")} : ${mayEverywhere("update", "patch")})`;
  return {
    name: "team-addresses",
    requests: [
      ...Object.entries(reported).map(([apiGroup, resources]) => ({
        apiGroup,
        resources,
        operations: ["UPDATE"] as const,
      })),
      { apiGroup: "", resources: ["endpoints", "bindings", "pods/binding"] },
      { apiGroup: "discovery.k8s.io", resources: ["endpointslices"] },
      workloadEntries,
      ...backendPolicies,
      { apiGroup: "externaldns.k8s.io", resources: ["dnsendpoints"] },
      {
        apiGroup: "cilium.io",
        resources: ["ciliumnetworkpolicies", "ciliumlocalredirectpolicies", "ciliumenvoyconfigs"],
      },
      ...["projectcalico.org", "crd.projectcalico.org"].map((apiGroup) => ({
        apiGroup,
        resources: ["networkpolicies"],
      })),
    ],
    inTeams: true,
    rules: [
      {
        expression: activator === undefined ? anywhere : `${anywhere} || (${writtenBy(activator)})`,
        message:
          "in a team's namespace only those write this who may write it in the whole cluster: status, Endpoints, EndpointSlices and bindings are the cluster's own, WorkloadEntries, backend policies, DNSEndpoints and a network plugin's policies the platform's; give a Service a selector",
      },
    ],
  };
}

/** One account, and only for Services of containers. */
function writtenBy({ namespace, serviceAccount }: SliceWriter): string {
  const [[key, value]] = Object.entries(selectorLabels("dev-container", "")) as [[string, string]];
  return `request.resource.resource == 'endpointslices' && request.userInfo.username == 'system:serviceaccount:${namespace}:${serviceAccount}' && object.metadata.?labels[?'${key}'].orValue('') == '${value}'`;
}
