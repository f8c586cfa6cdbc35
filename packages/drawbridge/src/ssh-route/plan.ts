import { planFrpc } from "../host/frpc/plan.ts";
import { withoutComment } from "../host/keys/authorized-keys.ts";
import { type HostPlan, planHostNames } from "../host/plan.ts";
import { type Input, type InputList, text, whenListed } from "../kit/input.ts";
import { objectLabels, selectorLabels } from "../kubernetes/labels.ts";
import { internalName, joinName } from "../kubernetes/names.ts";
import type { SshRouteParsed } from "./args.ts";

/** A route with every default and name decided. */
export interface SshRoutePlan extends HostPlan {
  readonly hostPublicKeys: InputList<string>;
  readonly targetPort: Input<number>;
  readonly networkPolicy: SshRouteParsed["networkPolicy"];
  readonly podLabels: NonNullable<SshRouteParsed["podLabels"]>;
  /** Labels of frpc's pod, the only one that a route may have. */
  readonly selector: Record<string, string>;
  readonly imagePullSecrets: InputList<string>;
}

/** @param logicalName the component's name, the default for the host's */
export function planSshRoute(logicalName: string, args: SshRouteParsed): SshRoutePlan {
  const name = args.name ?? logicalName;
  const { namespace, serviceName, access } = args;
  const frpc = planFrpc(name, namespace, access.frp, internalName(serviceName, namespace));
  return {
    name,
    namespace,
    ...planHostNames(name, args, frpc),
    labels: objectLabels("ssh-route", name),
    selector: selectorLabels("ssh-route", name),
    names: { service: serviceName, route: joinName(name, "ssh"), sshpod: joinName(name, "sshpod") },
    podName: args.podName,
    hasSshd: true,
    ssh: { port: args.port },
    user: { name: args.userName },
    homePath: args.homePath ?? text`/home/${args.userName}`,
    access,
    gatewayPorts: [{ name: "ssh", port: args.port }],
    frpc,
    hostPublicKeys: whenListed(args.hostPublicKeys, (keys) => keys.map(withoutComment)),
    targetPort: args.targetPort ?? args.port,
    networkPolicy: args.networkPolicy,
    podLabels: args.podLabels ?? {},
    imagePullSecrets: args.pod.imagePullSecrets,
  };
}
