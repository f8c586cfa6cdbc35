/** What can be said of a host and of its ways in. */

import { isEmpty } from "../kit/input.ts";
import type { KnownGateway, KnownHost } from "./plan.ts";

/** What can be said of a host, each true or not. */
export const HostConditionType = {
  /** A pod of the newest specification is ready. */
  PodReady: "PodReady",
  /** sshd listens. */
  SshReady: "SshReady",
  /** frpc runs; what frps makes of it only a try tells. */
  FrpcRunning: "FrpcRunning",
  /** The gateway's route stands, and the gateway's address is known. */
  GatewayRoute: "GatewayRoute",
  /** `access.sshpod` names someone. */
  SshpodGranted: "SshpodGranted",
} as const;
export type HostConditionType = (typeof HostConditionType)[keyof typeof HostConditionType];

/** One statement about a host. */
export interface HostCondition {
  /** What is stated. */
  type: HostConditionType;
  /** Whether it holds. */
  status: boolean;
  /** Why, in one word. */
  reason: string;
  /** What is to be done where it does not hold; may be empty. */
  message: string;
}

/** The state of the ways into a host that runs already, as its route's objects tell it. */
export interface HostStatus {
  /** Whether each way in stands. */
  conditions: HostCondition[];
}

/**
 * One condition for each way in of which the pod's own conditions say nothing: what the objects that make it tell, without
 * trying it.
 * @param gatewayAddress host name or address of the gateway's LoadBalancer; undefined if it is unknown
 */
export function wayConditions(plan: KnownHost, gatewayAddress: string | undefined): HostCondition[] {
  const { gateway } = plan.access;
  return [
    ...(gateway === undefined || !plan.hasSshd ? [] : [gatewayWay(gateway, gatewayAddress)]),
    ...(plan.podName === undefined ? [] : [sshpodWay(plan)]),
  ];
}

function gatewayWay({ name, namespace }: KnownGateway, address: string | undefined): HostCondition {
  const type = "GatewayRoute";
  if (address !== undefined) return { type, status: true, reason: "Routed", message: "" };
  const why = `kubectl -n ${namespace} describe service ${name}`;
  const message = `the gateway ${namespace}/${name} has no address; set access.address, or wait for its LoadBalancer (${why}) and run pulumi up --refresh`;
  return { type, status: false, reason: "NoAddress", message };
}

function sshpodWay({ access }: KnownHost): HostCondition {
  const type = "SshpodGranted";
  const { users = [], groups = [] } = access.sshpod ?? {};
  if (!isEmpty(users) || !isEmpty(groups)) return { type, status: true, reason: "Granted", message: "" };
  const message = "access.sshpod names nobody; only those get in who have rights to the pod anyway";
  return { type, status: false, reason: "NobodyNamed", message };
}
