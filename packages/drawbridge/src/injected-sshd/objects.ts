import { egressNetworkPolicy, egressObjects } from "../host/egress/objects.ts";
import type { EgressSecrets } from "../host/egress/token.ts";
import { type FrpcSecrets, frpcObjects } from "../host/frpc/objects.ts";
import { hostService, hostSshpodAccess, sshIngressPolicy } from "../host/objects.ts";
import { type ContainerHostKey, sshdManifests } from "../host/sshd/files.ts";
import { hostRoute } from "../istio/ssh-route.ts";
import { declared } from "../kubernetes/objects.ts";
import type { InjectedSshdPlan } from "./plan.ts";

export interface InjectedSshdSecrets {
  readonly hostKey: ContainerHostKey;
  /** Of a host with frpc. */
  readonly frpc?: FrpcSecrets | undefined;
  /** Of a host that reaches others by name. */
  readonly egress?: EgressSecrets | undefined;
}

/** What stands around a pod with an sshd; the pod itself is another's. */
export function injectedSshdObjects(plan: InjectedSshdPlan, { hostKey, frpc, egress }: InjectedSshdSecrets) {
  const { gateway } = plan.access;
  const files = sshdManifests(plan, hostKey);
  const network = sshIngressPolicy(plan, plan.networkPolicy, plan.selector);
  const outward = egressNetworkPolicy(plan);
  const sshpod = hostSshpodAccess(plan);
  return {
    "authorized-keys": declared(files.authorizedKeys),
    "host-key": declared(files.hostKey),
    sshd: declared(files.sshd),
    service: declared(hostService(plan)),
    network: network && declared(network),
    ...frpcObjects(plan, frpc),
    ...egressObjects(plan, egress),
    "egress-network": outward && declared(outward),
    sshpod: sshpod && declared(sshpod.role),
    "sshpod-binding": sshpod && declared(sshpod.binding),
    route: gateway && declared(hostRoute(plan, gateway)),
  };
}

export type InjectedSshdObjects = ReturnType<typeof injectedSshdObjects>;
