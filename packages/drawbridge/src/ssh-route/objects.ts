import { frpcAlone } from "../host/frpc/alone.ts";
import type { FrpcSecrets } from "../host/frpc/objects.ts";
import { hostSshpodAccess, sshIngressPolicy } from "../host/objects.ts";
import { hostRoute } from "../istio/ssh-route.ts";
import { declared } from "../kubernetes/objects.ts";
import type { SshRoutePlan } from "./plan.ts";

/** The objects of a SshRoute. What runs already, to which it leads, stays as it is. */
export function sshRouteObjects(plan: SshRoutePlan, secrets?: FrpcSecrets) {
  const { access, networkPolicy, podLabels, targetPort, selector, frpc } = plan;
  const { gateway } = access;
  const network = sshIngressPolicy(plan, networkPolicy, podLabels, targetPort, frpc && selector);
  const sshpod = hostSshpodAccess(plan);
  return {
    network: network && declared(network),
    route: gateway && declared(hostRoute(plan, gateway)),
    sshpod: sshpod && declared(sshpod.role),
    "sshpod-binding": sshpod && declared(sshpod.binding),
    ...frpcAlone(plan, secrets),
  };
}

export type SshRouteObjects = ReturnType<typeof sshRouteObjects>;
