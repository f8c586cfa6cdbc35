import { objectLabels, sshdLabel } from "../common/labels.ts";
import { joinName } from "../common/names.ts";
import { joinedLists, type Placed, text } from "../common/placed.ts";
import { planFrpc } from "../frpc/plan.ts";
import { planHostNames } from "../host/plan.ts";
import type { SshdPlan } from "../sshd/plan.ts";
import type { InjectedSshdParsed } from "./args.ts";
import type { PodTemplate } from "./pod-template.ts";

/** A sshd for somebody else's pod with every default and name decided. */
export interface InjectedSshdPlan extends SshdPlan {
  readonly hostKey: InjectedSshdParsed["hostKey"];
  /** Labels of the pods it is in. */
  readonly selector: Record<string, string>;
  readonly podTemplate: Placed<PodTemplate>;
  readonly containerName: string | undefined;
  readonly networkPolicy: InjectedSshdParsed["networkPolicy"];
}

/** @param logicalName the component's name, the default for the host's */
export function planInjectedSshd(logicalName: string, args: InjectedSshdParsed): InjectedSshdPlan {
  const name = args.name ?? logicalName;
  const { namespace, user, access } = args;
  const frpc = planFrpc(name, namespace, access.frp);
  const { imagePullPolicy, ...ssh } = args.ssh;
  return {
    name,
    namespace,
    ...planHostNames(name, args, frpc),
    labels: objectLabels("injected-sshd", name),
    selector: { [sshdLabel]: name },
    names: {
      // Its workload may have a Service of the plain name already.
      service: joinName(name, "ssh"),
      route: joinName(name, "ssh"),
      sshpod: joinName(name, "sshpod"),
      authorizedKeys: joinName(name, "authorized-keys"),
      hostKey: joinName(name, "host-key"),
      sshdConfig: joinName(name, "sshd"),
    },
    podName: args.podName,
    hasSshd: true,
    ssh: { ...ssh, mode: "injected" },
    user: { ...user, gid: user.gid ?? user.uid },
    homePath: user.homePath ?? `/home/${user.name}`,
    access,
    gatewayPorts: [{ name: "ssh", port: ssh.port }],
    frpc,
    authorizedKeys: joinedLists(
      args.authorizedKeys,
      frpc === undefined ? [] : (access.frp?.authorizedKeys ?? []),
    ),
    userCa: args.userCa,
    hostKey: args.hostKey,
    hostIdentity: args.hostKey.identity ?? text`${namespace}/${name}`,
    imagePullPolicy,
    idle: undefined,
    containersInside: false,
    // What a controller does when it stops a pod is its own.
    stopWarningSeconds: 0,
    sessionsValidFrom: args.sessionsValidFrom,
    podTemplate: args.podTemplate as Placed<PodTemplate>,
    containerName: args.containerName,
    networkPolicy: args.networkPolicy,
  };
}
