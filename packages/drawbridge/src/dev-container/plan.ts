import { planEgress } from "../host/egress/plan.ts";
import { planIdle } from "../host/idle/plan.ts";
import type { KnownHost } from "../host/plan.ts";
import { engineStorage } from "../host/sshd/engine.ts";
import { isRoot, planSshd, sshdNames } from "../host/sshd/plan.ts";
import { type Input, isEmpty, text, whenKnown } from "../kit/input.ts";
import { planPod } from "../kubernetes/args.ts";
import { objectLabels, selectorLabels } from "../kubernetes/labels.ts";
import { internalName, joinName } from "../kubernetes/names.ts";
import type { DevContainerParsed } from "./args.ts";
import { planMounts } from "./args-mounts.ts";
import { containerEnvironment } from "./environment.ts";
import { homeOf } from "./root.ts";

/** `users`, the group of the homes that JupyterHub makes. */
const groupOfJupyter = 100;

/** A container with every default, name and port decided. */
export type DevContainerPlan = ReturnType<typeof planDevContainer>;

/** A plan in which everything that clients are told is known. */
export type KnownPlan = DevContainerPlan & KnownHost;

/** @param logicalName the component's name, the default for the objects' name */
export function planDevContainer(logicalName: string, args: DevContainerParsed) {
  const name = args.name ?? logicalName;
  const homePath = whenKnown(args.user.name, homeOf);
  const hasSshd = args.ssh.mode !== "none";
  const { env: _, pod, ...given } = args;
  const mounts = planMounts(args.mounts);
  return {
    ...given,
    ...planPod(pod),
    ...mounts,
    ...planSshd(name, args),
    name,
    // Physical names of its objects. The claims' names are where the data is: they never change.
    names: {
      ...sshdNames(name),
      workload: name,
      service: name,
      home: joinName(name, "home"),
      persist: joinName(name, "persist"),
      // The account that the pod runs as; undefined for the namespace's default one.
      serviceAccount: args.serviceAccount.name ?? (args.serviceAccount.create ? name : undefined),
      // Secret with the values of `secretEnv`.
      secretEnv: joinName(name, "env"),
    },
    podName: `${name}-0`,
    homePath,
    // To root a claim is open anyway, and what is in a claim that exists belongs to whom it belongs.
    fsGroup:
      pod.fsGroup ?? (isRoot(args.user) || args.home.claimName !== undefined ? undefined : args.user.gid),
    supplementalGroups:
      isEmpty(pod.supplementalGroups) && args.home.claimName !== undefined
        ? [groupOfJupyter]
        : pod.supplementalGroups,
    persist: args.containersInside
      ? { ...args.persist, paths: [...args.persist.paths, engineStorage] }
      : args.persist,
    labels: objectLabels("dev-container", name),
    selector: selectorLabels("dev-container", name),
    hasSshd,
    // When and how it sleeps, if it may.
    idle: planIdle(args.idle, args.access.gateway?.idle),
    gatewayPorts: [
      ...(hasSshd ? [{ name: "ssh", port: args.ssh.port }] : []),
      ...args.ports.filter((port) => port.throughGateway || port.primary),
    ],
    // What it may reach by name, where that is declared.
    byName: planEgress(name, args.namespace, args.egress, !args.containersInside, args.proxy?.except),
    // What is declared together with what proxy and CA bundle add to it.
    environment: containerEnvironment({ ...args, ...mounts }, homePath),
  };
}

/**
 * The address of the primary port: by the name that the gateway answers to, so a client goes there through the
 * gateway as its proxy (`curl --proxytunnel -x`), or by the name inside the cluster without a gateway.
 */
export function primaryUrl(plan: DevContainerPlan): Input<string> | undefined {
  const primary = plan.ports.find(({ primary }) => primary);
  if (primary === undefined) return undefined;
  const host = plan.hostNames[0] ?? internalName(plan.names.workload, plan.namespace);
  return text`${primary.scheme}://${host}:${primary.port}`;
}
