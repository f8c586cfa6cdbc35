/** Where a Service of a team's namespace leads: to pods of that namespace, at the addresses that the cluster gave them. */
import { type AdmissionPolicy, mayEverywhere } from "../common/admission.ts";
import { selectorLabels } from "../common/labels.ts";
import { most } from "../istio/shares.ts";

/** A service account that writes EndpointSlices. */
export interface SliceWriter {
  readonly namespace: string;
  readonly serviceAccount: string;
}

export function addressPolicies(activator?: SliceWriter): AdmissionPolicy[] {
  return [servicesPolicy, endpointsPolicy(activator)];
}

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
      expression: `object.spec.?ports.orValue([]).size() <= ${most.servicePorts}`,
      message: `a Service of a team's namespace may have at most ${most.servicePorts} ports: each fills the memory of every gateway`,
    },
  ],
};

/**
 * A pod's address is its kubelet's to write, a LoadBalancer's, which every node obeys, its controller's, and slices are
 * the control plane's: a forged one would lead a Service wherever it says. Its garbage collector, which marks the pods of
 * a lost node as failed before it removes them, may patch and not update.
 */
function endpointsPolicy(activator: SliceWriter | undefined): AdmissionPolicy {
  const anywhere = `${mayEverywhere("update")} || ${mayEverywhere("patch")}`;
  return {
    name: "team-addresses",
    requests: [
      { apiGroup: "", resources: ["pods/status", "services/status", "endpoints"] },
      { apiGroup: "discovery.k8s.io", resources: ["endpointslices"] },
    ],
    inTeams: true,
    rules: [
      {
        expression: activator === undefined ? anywhere : `${anywhere} || (${writtenBy(activator)})`,
        message:
          "the cluster itself writes the addresses behind a team's Services: the status of pods and Services, Endpoints and EndpointSlices; give the Service a selector",
      },
    ],
  };
}

/** One account, and only for Services of containers. */
function writtenBy({ namespace, serviceAccount }: SliceWriter): string {
  const [[key, value]] = Object.entries(selectorLabels("dev-container", "")) as [[string, string]];
  return `request.resource.resource == 'endpointslices' && request.userInfo.username == 'system:serviceaccount:${namespace}:${serviceAccount}' && object.metadata.?labels[?'${key}'].orValue('') == '${value}'`;
}
