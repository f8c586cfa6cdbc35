import { declared } from "../common/objects.ts";
import { sshIngressPolicy } from "../host/network-policy.ts";
import { hostRoute } from "../host/route.ts";
import { hostSshpodAccess } from "../host/sshpod.ts";
import type { SshRoutePlan } from "./plan.ts";

/** What a route adds around what runs already; nothing of that is changed. */
export function sshRouteObjects(plan: SshRoutePlan) {
  const { access, networkPolicy, podLabels, targetPort } = plan;
  const { gateway } = access;
  const network = sshIngressPolicy(plan, networkPolicy, podLabels, gateway, targetPort);
  const sshpod = hostSshpodAccess(plan);
  return {
    network: network && declared(network),
    route: gateway && declared(hostRoute(plan, gateway)),
    sshpod: sshpod && declared(sshpod.role),
    "sshpod-binding": sshpod && declared(sshpod.binding),
  };
}

export type SshRouteObjects = ReturnType<typeof sshRouteObjects>;
