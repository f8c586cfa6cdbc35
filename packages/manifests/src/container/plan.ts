import { objectLabels, selectorLabels } from "../common/labels.ts";
import { joinName } from "../common/names.ts";
import { joinedLists, type Placed, type PlacedList, type Settled, text } from "../common/placed.ts";
import type { SshGatewayRefParsed } from "../gateway/ref.ts";
import type { DevContainerParsed } from "./args.ts";
import { engineStorage } from "./engine.ts";
import { containerEnvironment } from "./environment.ts";
import { type FrpcPlan, type KnownFrpcPlan, planFrpc } from "./frpc-plan.ts";
import { type IdlePlan, planIdle } from "./idle.ts";
import { homeOf } from "./root.ts";

/** Physical names of a container's objects. The claims' names are where the data is: they never change. */
export interface ContainerNames {
  readonly workload: string;
  readonly home: string;
  readonly persist: string;
  readonly authorizedKeys: string;
  readonly hostKey: string;
  readonly sshdConfig: string;
  readonly route: string;
  readonly sshpod: string;
  /** Secret with the values of `secretEnv`. */
  readonly secretEnv: string;
}

/** A port that others than the container's own sessions may reach by name. */
export interface NamedPort {
  readonly name: string;
  readonly port: number;
}

/** A container with every default, name and port decided. */
export interface DevContainerPlan
  extends Omit<DevContainerParsed, "name" | "env" | "idle" | "authorizedKeys"> {
  /** Those of every way in. */
  readonly authorizedKeys: PlacedList<string>;
  readonly name: string;
  readonly names: ContainerNames;
  readonly homePath: string;
  readonly labels: Record<string, string>;
  readonly selector: Record<string, string>;
  /** Whether a sshd runs in the pod: in every mode but `none`. */
  readonly hasSshd: boolean;
  /** What the host key is derived for: it moves with the container from stack to stack. */
  readonly hostIdentity: Placed<string>;
  /** The names that clients use and the gateway routes, the chief one first. */
  readonly hostNames: readonly Placed<string>[];
  /** Every name under which clients may know the container's host key; one may be there twice. */
  readonly knownNames: readonly Placed<string>[];
  /** Where the gateway is reached, if anything says it. */
  readonly gatewayAddress: Placed<string | undefined> | undefined;
  /** Its sleep, if it may sleep. */
  readonly idle: IdlePlan | undefined;
  /** The way in through frp, if there is one. */
  readonly frpc: FrpcPlan | undefined;
  /** The ports that the gateway forwards to by name, sshd's first. */
  readonly gatewayPorts: readonly NamedPort[];
  /** Declared environment together with what proxy and CA bundle add to it. */
  readonly environment: Readonly<Record<string, Placed<string>>>;
}

/** What of a gateway clients are told. */
export const gatewayNames = (gateway: SshGatewayRefParsed) => {
  const { name, namespace, domain, plainPort, tlsPort, mutualTls } = gateway;
  return { name, namespace, domain, plainPort, tlsPort, mutualTls };
};

export type KnownGateway = Settled<ReturnType<typeof gatewayNames>>;

/** A plan of which everything is known that clients are told, or that secrets are made of. */
export interface KnownPlan extends DevContainerPlan {
  readonly namespace: string;
  readonly hostIdentity: string;
  readonly hostNames: readonly string[];
  readonly knownNames: readonly string[];
  readonly frpc: KnownFrpcPlan | undefined;
  readonly access: Omit<DevContainerPlan["access"], "gateway"> & {
    readonly gateway?: KnownGateway | undefined;
  };
}

/** @param logicalName the component's name, the default for the objects' name */
export function planDevContainer(logicalName: string, args: DevContainerParsed): DevContainerPlan {
  const name = args.name ?? logicalName;
  const homePath = homeOf(args.user.name);
  const hasSshd = args.ssh.mode !== "none";
  const { frp } = args.access;
  const frpc = planFrpc(name, args.namespace, frp);
  const hostNames = hostNamesOf(name, args, frpc);
  return {
    ...args,
    name,
    names: {
      workload: name,
      home: joinName(name, "home"),
      persist: joinName(name, "persist"),
      authorizedKeys: joinName(name, "authorized-keys"),
      hostKey: joinName(name, "host-key"),
      sshdConfig: joinName(name, "sshd"),
      route: joinName(name, "ssh"),
      sshpod: joinName(name, "sshpod"),
      secretEnv: joinName(name, "env"),
    },
    homePath,
    persist: args.containersInside ? [...args.persist, engineStorage] : args.persist,
    labels: objectLabels("dev-container", name),
    selector: selectorLabels("dev-container", name),
    hasSshd,
    hostIdentity: args.hostKey?.identity ?? text`${args.namespace}/${name}`,
    hostNames,
    gatewayAddress: args.access.gatewayAddress ?? args.access.gateway?.address,
    // Without a gateway the name through frp is the chief one.
    knownNames:
      frpc === undefined || args.access.gateway === undefined ? hostNames : [...hostNames, frpc.hostName],
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

/** The name inside the cluster, which the gateway also answers to. */
export function internalName(name: string, namespace: Placed<string>): Placed<string> {
  return text`${name}.${namespace}.svc.cluster.local`;
}

function hostNamesOf(name: string, args: DevContainerParsed, frpc: FrpcPlan | undefined): Placed<string>[] {
  const { namespace } = args;
  const { gateway } = args.access;
  const outside = gateway === undefined ? frpc?.hostName : text`${name}.${namespace}.${gateway.domain}`;
  return [...(outside === undefined ? [] : [outside]), internalName(name, namespace)];
}
