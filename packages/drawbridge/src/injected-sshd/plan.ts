import { planEgress } from "../host/egress/plan.ts";
import { planSshd, sshdNames } from "../host/sshd/plan.ts";
import { type Input, text } from "../kit/input.ts";
import { objectLabels, sshdLabel } from "../kubernetes/labels.ts";
import { joinName } from "../kubernetes/names.ts";
import type { InjectedSshdParsed, PodTemplate } from "./args.ts";

/** A sshd for another's pod with every default and name decided. */
export type InjectedSshdPlan = ReturnType<typeof planInjectedSshd>;

/** @param logicalName the component's name, the default for the host's */
export function planInjectedSshd(logicalName: string, args: InjectedSshdParsed) {
  const name = args.name ?? logicalName;
  const { user } = args;
  const { imagePullPolicy, ...ssh } = args.ssh;
  return {
    ...args,
    ...planSshd(name, args),
    name,
    labels: objectLabels("injected-sshd", name),
    // Labels of the pods it is in.
    selector: { [sshdLabel]: name },
    // Its workload may have a Service of the plain name already.
    names: { ...sshdNames(name), service: joinName(name, "ssh") },
    podName: args.podName,
    byName: planEgress(name, args.namespace, args.egress ?? {}, true),
    hasSshd: true,
    ssh: { ...ssh, mode: "injected" as const },
    user: { ...user, gid: user.gid ?? user.uid },
    homePath: user.homePath ?? text`/home/${user.name}`,
    gatewayPorts: [{ name: "ssh", port: ssh.port }],
    imagePullPolicy,
    idle: undefined,
    containersInside: false,
    // What a controller does when it stops a pod is its own.
    stopWarningSeconds: 0,
    podTemplate: args.podTemplate as Input<PodTemplate>,
  };
}
