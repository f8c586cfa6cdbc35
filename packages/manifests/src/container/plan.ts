import { objectLabels, selectorLabels } from "../common/labels.ts";
import { joinName } from "../common/names.ts";
import type { DevContainerParsed } from "./args.ts";

/** Physical names of a container's objects. The home claim's name is where the data is: it never changes. */
export interface ContainerNames {
  readonly workload: string;
  readonly home: string;
  readonly authorizedKeys: string;
  readonly hostKey: string;
  readonly sshdConfig: string;
  readonly route: string;
}

/** A container with every default, name and port decided. */
export interface DevContainerPlan extends Omit<DevContainerParsed, "name"> {
  readonly name: string;
  readonly names: ContainerNames;
  readonly homePath: string;
  readonly labels: Record<string, string>;
  readonly selector: Record<string, string>;
  /** What the host key is derived for: it moves with the container from stack to stack. */
  readonly hostIdentity: string;
  /** Every name under which clients may know the container's host key. */
  readonly hostNames: readonly string[];
}

/** @param logicalName the component's name, the default for the objects' name */
export function planDevContainer(logicalName: string, args: DevContainerParsed): DevContainerPlan {
  const name = args.name ?? logicalName;
  return {
    ...args,
    name,
    names: {
      workload: name,
      home: joinName(name, "home"),
      authorizedKeys: joinName(name, "authorized-keys"),
      hostKey: joinName(name, "host-key"),
      sshdConfig: joinName(name, "sshd"),
      route: joinName(name, "ssh"),
    },
    homePath: `/home/${args.user.name}`,
    labels: objectLabels("dev-container", name),
    selector: selectorLabels("dev-container", name),
    hostIdentity: `${args.namespace}/${name}`,
    hostNames: hostNames(name, args),
  };
}

/** The name inside the cluster, which the gateway also answers to. */
export function internalName(name: string, namespace: string): string {
  return `${name}.${namespace}.svc.cluster.local`;
}

function hostNames(name: string, args: DevContainerParsed): string[] {
  const outside = args.gateway === undefined ? [] : [`${name}.${args.namespace}.${args.gateway.domain}`];
  return [...outside, internalName(name, args.namespace)];
}
