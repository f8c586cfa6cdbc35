/** What can be said of each way in from the objects that make it, without trying it. */
import { isEmpty } from "../common/placed.ts";
import type { DevContainerPlan, KnownGateway, KnownPlan } from "./plan.ts";
import { asleep, type ContainerCondition, switchedOff } from "./status.ts";

/** What the objects report. */
export interface WayReports {
  /** Pods with the newest specification in which everything is ready. */
  readonly readyPods: number;
  /** Whether it sleeps now. */
  readonly isAsleep?: boolean;
  /** Host name or address of the gateway's LoadBalancer; undefined if nobody knows it. */
  readonly gatewayAddress?: string | undefined;
}

/** One condition for sshd and one for each way in that the container has, in the order in which clients try them. */
export function wayConditions(plan: KnownPlan, reports: WayReports): ContainerCondition[] {
  if (!plan.hasSshd) return [sshpodWay(plan)];
  const { gateway } = plan.access;
  const ready = plan.running && reports.readyPods > 0;
  return [
    sshReady(plan.running, ready, reports.isAsleep ?? false),
    ...(gateway === undefined ? [] : [gatewayWay(gateway, reports.gatewayAddress)]),
    ...(plan.frpc === undefined ? [] : [frpWay(plan.frpc.hostName, ready)]),
    sshpodWay(plan),
  ];
}

function sshReady(running: boolean, ready: boolean, isAsleep: boolean): ContainerCondition {
  const type = "SshReady";
  if (!running) return { type, ...switchedOff };
  if (isAsleep) return { type, ...asleep };
  return ready
    ? { type, status: true, reason: "Listening", message: "" }
    : { type, status: false, reason: "NotListening", message: "no pod is ready; drawbridge list tells why" };
}

function gatewayWay({ name, namespace }: KnownGateway, address: string | undefined): ContainerCondition {
  const type = "GatewayRoute";
  if (address === undefined || address === "") {
    const message = `nobody said where the gateway ${namespace}/${name} is reached; give access.gatewayAddress`;
    return { type, status: false, reason: "NoAddress", message };
  }
  return { type, status: true, reason: "Routed", message: "" };
}

/** frpc is a container of the pod, so a ready pod has it running. */
function frpWay(hostName: string, ready: boolean): ContainerCondition {
  const [reason, message] = ready
    ? ["Running", ""]
    : ["NotRunning", `frpc does not run yet, so frps does not know ${hostName}`];
  return { type: "FrpcRunning", status: ready, reason, message };
}

function sshpodWay({ access }: DevContainerPlan): ContainerCondition {
  const type = "SshpodGranted";
  const { users = [], groups = [] } = access.sshpod ?? {};
  if (!isEmpty(users) || !isEmpty(groups)) return { type, status: true, reason: "Granted", message: "" };
  const message = "access.sshpod names nobody; only those get in who have rights to the pod anyway";
  return { type, status: false, reason: "NobodyNamed", message };
}
