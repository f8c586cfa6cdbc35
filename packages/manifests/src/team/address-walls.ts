/** Where a Service of a team's namespace leads: to pods of that namespace, at the addresses that the cluster gave them. */
import { mayEverywhere, type Wall } from "../common/admission.ts";
import { selectorLabels } from "../common/labels.ts";

/** A service account that writes EndpointSlices. */
export interface SliceWriter {
  readonly namespace: string;
  readonly serviceAccount: string;
}

const core = (resource: string) => [{ apiGroup: "", resources: [resource] }];

export function addressWalls(activator?: SliceWriter): Wall[] {
  return [servicesWall, balancersWall, podsWall, endpointsWall, slicesWall(activator)];
}

const servicesWall: Wall = {
  name: "team-services",
  requests: core("services"),
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
  ],
};

/** A LoadBalancer's address is obeyed by every node, so only who gives addresses may write it. */
const balancersWall: Wall = {
  name: "team-services-status",
  requests: [{ apiGroup: "", resources: ["services/status"], operations: ["UPDATE"] }],
  inTeams: true,
  rules: [
    {
      expression: mayEverywhere,
      message: "the status of a Service is written by the cluster's controllers",
    },
  ],
};

const podsWall: Wall = {
  name: "team-pods-status",
  requests: [{ apiGroup: "", resources: ["pods/status"], operations: ["UPDATE"] }],
  inTeams: true,
  rules: [
    {
      expression: mayEverywhere,
      message:
        "the status of a pod is written by its kubelet: a forged address would become an endpoint of its Services",
    },
  ],
};

const byHand =
  "the control plane writes the endpoints of a team's Services, from the pods that they select; remove this object and give the Service a selector";

const endpointsWall: Wall = {
  name: "team-endpoints",
  requests: core("endpoints"),
  inTeams: true,
  rules: [{ expression: mayEverywhere, message: byHand }],
};

function slicesWall(activator: SliceWriter | undefined): Wall {
  return {
    name: "team-endpoint-slices",
    requests: [{ apiGroup: "discovery.k8s.io", resources: ["endpointslices"] }],
    inTeams: true,
    rules: [
      {
        expression: activator === undefined ? mayEverywhere : `${mayEverywhere} || (${writtenBy(activator)})`,
        message: byHand,
      },
    ],
  };
}

/** One account, and only for Services of containers. */
function writtenBy({ namespace, serviceAccount }: SliceWriter): string {
  const [[key, value]] = Object.entries(selectorLabels("dev-container", "")) as [[string, string]];
  return `request.userInfo.username == 'system:serviceaccount:${namespace}:${serviceAccount}' && object.metadata.?labels[?'${key}'].orValue('') == '${value}'`;
}
