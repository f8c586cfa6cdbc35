import { objectLabels, selectorLabels } from "../common/labels.ts";
import { joinName } from "../common/names.ts";
import { joinedLists, type Placed, type PlacedList, text } from "../common/placed.ts";
import { planFrpc } from "../frpc/plan.ts";
import { type HostPlan, type KnownHost, planHostNames } from "../host/plan.ts";
import { type IdlePlan, planIdle } from "../idle/plan.ts";
import { engineStorage } from "../sshd/engine.ts";
import type { SshdNames } from "../sshd/plan.ts";
import type { DevContainerParsed } from "./args.ts";
import { containerEnvironment } from "./environment.ts";
import { homeOf } from "./root.ts";

/** Physical names of a container's objects. The claims' names are where the data is: they never change. */
interface ContainerNames extends SshdNames {
  readonly workload: string;
  readonly service: string;
  readonly home: string;
  readonly persist: string;
  /** Secret with the values of `secretEnv`. */
  readonly secretEnv: string;
}

/** A container with every default, name and port decided. */
export interface DevContainerPlan
  extends Omit<DevContainerParsed, "name" | "env" | "idle" | "authorizedKeys">,
    Omit<HostPlan, "access" | "ssh" | "user"> {
  /** The keys of all ways in together. */
  readonly authorizedKeys: PlacedList<string>;
  readonly name: string;
  readonly namespace: Placed<string>;
  readonly names: ContainerNames;
  readonly podName: string;
  readonly homePath: string;
  readonly selector: Record<string, string>;
  /** What the host key is derived for: it moves with the container from stack to stack. */
  readonly hostIdentity: Placed<string>;
  /** When and how it sleeps, if it may. */
  readonly idle: IdlePlan | undefined;
  /** Declared environment together with what proxy and CA bundle add to it. */
  readonly environment: Readonly<Record<string, Placed<string>>>;
}

/** A plan in which everything that clients are told is known. */
export type KnownPlan = DevContainerPlan & KnownHost;

/** @param logicalName the component's name, the default for the objects' name */
export function planDevContainer(logicalName: string, args: DevContainerParsed): DevContainerPlan {
  const name = args.name ?? logicalName;
  const homePath = homeOf(args.user.name);
  const hasSshd = args.ssh.mode !== "none";
  const { frp } = args.access;
  const frpc = planFrpc(name, args.namespace, frp);
  return {
    ...args,
    ...planHostNames(name, args, frpc),
    name,
    names: {
      workload: name,
      service: name,
      home: joinName(name, "home"),
      persist: joinName(name, "persist"),
      authorizedKeys: joinName(name, "authorized-keys"),
      hostKey: joinName(name, "host-key"),
      sshdConfig: joinName(name, "sshd"),
      route: joinName(name, "ssh"),
      sshpod: joinName(name, "sshpod"),
      secretEnv: joinName(name, "env"),
    },
    podName: `${name}-0`,
    homePath,
    persist: args.containersInside ? [...args.persist, engineStorage] : args.persist,
    labels: objectLabels("dev-container", name),
    selector: selectorLabels("dev-container", name),
    hasSshd,
    hostIdentity: args.hostKey?.identity ?? text`${args.namespace}/${name}`,
    idle: planIdle(args.idle, args.access.gateway?.idle),
    frpc,
    authorizedKeys: joinedLists(args.authorizedKeys, frpc === undefined ? [] : (frp?.authorizedKeys ?? [])),
    gatewayPorts: [
      ...(hasSshd ? [{ name: "ssh", port: args.ssh.port }] : []),
      ...args.ports.filter((port) => port.throughGateway || port.primary),
    ],
    environment: containerEnvironment(args, homePath),
  };
}
