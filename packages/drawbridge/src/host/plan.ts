/** A host that people log in to, as its route and their clients know it: a container, or what runs there already. */

import { gatewayHostNames } from "../istio/ssh-route.ts";
import { type Input, type InputList, type Known, orElse, type Settled } from "../kit/input.ts";
import type { Subjects } from "../kubernetes/args.ts";
import type { ReservedName } from "../kubernetes/descriptor.ts";
import { internalName } from "../kubernetes/names.ts";
import type { FrpcPlan, KnownFrpcPlan } from "./frpc/plan.ts";
import type { SshGatewayRefParsed } from "./ways/gateway.ts";

/** A port that others than the host's own sessions may reach by name. */
export interface NamedPort {
  readonly name: Input<string>;
  readonly port: Input<number>;
}

/** The names by which a host is asked for. */
export interface HostNames {
  /** The names that clients use and the gateway routes, the chief one first. */
  readonly hostNames: readonly Input<string>[];
  /** Every name under which clients may know the host key; one may be there twice. */
  readonly knownNames: readonly Input<string>[];
  /** Where the gateway is reached, if anything says it. */
  readonly gatewayAddress: Input<string | undefined> | undefined;
}

export interface HostPlan extends HostNames {
  readonly name: string;
  readonly namespace: Input<string>;
  readonly labels: Record<string, string>;
  /** Physical names: of the Service that the route leads to, of the route, of the Role for the way over the Kubernetes API. */
  readonly names: { readonly service: Input<string>; readonly route: string; readonly sshpod: string };
  /** The pod on the way over the Kubernetes API; undefined where nobody knows its name. */
  readonly podName: Input<string> | undefined;
  readonly hasSshd: boolean;
  readonly ssh: { readonly port: Input<number> };
  readonly user: { readonly name: Input<string> };
  /** The folder that editors open. */
  readonly homePath: Input<string>;
  readonly access: {
    readonly gateway?: SshGatewayRefParsed | undefined;
    readonly allowIdentities: InputList<string>;
    readonly sshpod?: Subjects | undefined;
  };
  /** The ports that the gateway forwards to by name, sshd's first. */
  readonly gatewayPorts: readonly NamedPort[];
  /** The way in through frp, if there is one. */
  readonly frpc: FrpcPlan | undefined;
}

/** What clients need to know of a gateway. */
export const gatewayNames = (gateway: SshGatewayRefParsed) => {
  const { name, namespace, domain, plainPort, tlsPort, mutualTls } = gateway;
  return { name, namespace, domain, plainPort, tlsPort, mutualTls };
};

export type KnownGateway = Settled<ReturnType<typeof gatewayNames>>;

/** A host of which all is known that clients read. */
export type KnownHost = Known<
  Omit<HostPlan, "frpc" | "access">,
  "namespace" | "hostNames" | "knownNames" | "podName" | "ssh" | "user" | "homePath"
> & {
  readonly frpc: KnownFrpcPlan | undefined;
  readonly access: Omit<HostPlan["access"], "gateway"> & { readonly gateway?: KnownGateway | undefined };
};

/** The host names that a component reserves. */
export const reservedHostNames = ({ knownNames }: HostNames): ReservedName[] =>
  knownNames.map((name) => ({ path: "name", name, of: "name" }));

interface Addressed {
  readonly namespace: Input<string>;
  readonly access: {
    readonly gateway?: SshGatewayRefParsed | undefined;
    readonly address?: Input<string | undefined> | undefined;
  };
}

export function planHostNames(
  name: string,
  { namespace, access: { gateway, address } }: Addressed,
  frpc?: FrpcPlan,
): HostNames {
  const hostNames =
    gateway === undefined
      ? [...(frpc === undefined ? [] : [frpc.hostName]), internalName(name, namespace)]
      : gatewayHostNames(name, namespace, gateway.domain);
  return {
    hostNames,
    gatewayAddress: orElse(address, gateway?.address),
    // Without a gateway the name through frp is the chief one.
    knownNames: frpc === undefined || gateway === undefined ? hostNames : [...hostNames, frpc.hostName],
  };
}
