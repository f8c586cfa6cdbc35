/** What can be said of the ways in from the objects that make them, without trying them. */
import { isEmpty } from "../common/placed.ts";
import type { KnownGateway, KnownHost } from "../host/plan.ts";
import type { DevContainerCondition } from "./status.ts";

/**
 * One condition for each way in of which the pod's own conditions say nothing.
 * @param gatewayAddress host name or address of the gateway's LoadBalancer; undefined if it is unknown
 */
export function wayConditions(plan: KnownHost, gatewayAddress: string | undefined): DevContainerCondition[] {
  const { gateway } = plan.access;
  return [
    ...(gateway === undefined || !plan.hasSshd ? [] : [gatewayWay(gateway, gatewayAddress)]),
    sshpodWay(plan),
  ];
}

function gatewayWay({ name, namespace }: KnownGateway, address: string | undefined): DevContainerCondition {
  const type = "GatewayRoute";
  if (address === undefined || address === "") {
    const message = `nobody said where the gateway ${namespace}/${name} is reached; give access.gatewayAddress`;
    return { type, status: false, reason: "NoAddress", message };
  }
  return { type, status: true, reason: "Routed", message: "" };
}

function sshpodWay({ access }: KnownHost): DevContainerCondition {
  const type = "SshpodGranted";
  const { users = [], groups = [] } = access.sshpod ?? {};
  if (!isEmpty(users) || !isEmpty(groups)) return { type, status: true, reason: "Granted", message: "" };
  const message = "access.sshpod names nobody; only those get in who have rights to the pod anyway";
  return { type, status: false, reason: "NobodyNamed", message };
}
