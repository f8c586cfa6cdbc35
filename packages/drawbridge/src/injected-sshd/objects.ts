import { type FrpcSecrets, frpcObjects } from "../host/frpc/objects.ts";
import { hostService, hostSshpodAccess, sshIngressPolicy } from "../host/objects.ts";
import { type ContainerHostKey, sshdManifests } from "../host/sshd/files.ts";
import { hostRoute } from "../istio/ssh-route.ts";
import { declared } from "../kubernetes/objects.ts";
import type { InjectedSshdPlan } from "./plan.ts";

/** What stands around a pod with an sshd; the pod itself is somebody else's. */
export function injectedSshdObjects(plan: InjectedSshdPlan, hostKey: ContainerHostKey, frpc?: FrpcSecrets) {
  const { gateway } = plan.access;
  const files = sshdManifests(plan, hostKey);
  const network = sshIngressPolicy(plan, plan.networkPolicy, plan.selector);
  const sshpod = hostSshpodAccess(plan);
  return {
    "authorized-keys": declared(files.authorizedKeys),
    "host-key": declared(files.hostKey),
    sshd: declared(files.sshd),
    service: declared(hostService(plan)),
    network: network && declared(network),
    ...frpcObjects(plan, frpc),
    sshpod: sshpod && declared(sshpod.role),
    "sshpod-binding": sshpod && declared(sshpod.binding),
    route: gateway && declared(hostRoute(plan, gateway)),
  };
}

export type InjectedSshdObjects = ReturnType<typeof injectedSshdObjects>;
