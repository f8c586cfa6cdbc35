import { type SshTarget, type SshWay, sshTargetKind } from "../ssh/target.ts";
import type { KnownHost } from "./plan.ts";

/** What is known of a host's surroundings only when they exist. */
export interface SshSurroundings {
  /** Host name or address of the gateway's LoadBalancer; without it the gateway is no way in. */
  readonly gatewayAddress?: string;
  /** The host's public keys. */
  readonly hostKeys: readonly string[];
  /** Further ways, tried between the gateway and the Kubernetes API. */
  readonly furtherWays?: readonly SshWay[];
}

/** A host and what of its container a client has to know. */
type Told = KnownHost & { readonly running?: boolean | undefined; readonly idle?: unknown };

/** How clients log in: by the gateway, TLS before plain, then other ways, then over the Kubernetes API. */
export function hostSshTarget(plan: Told, surroundings: SshSurroundings): SshTarget {
  const { namespace, podName } = plan;
  const { gateway } = plan.access;
  const { gatewayAddress: address, furtherWays = [] } = surroundings;
  const way = (port: number, tls: boolean): SshWay => ({
    way: "gateway",
    address: address ?? "",
    port,
    tls,
    mutual: gateway?.mutualTls ?? false,
    ...(tls && gateway !== undefined ? nameFor(address ?? "", gateway) : {}),
  });
  // Plain is no fallback for TLS: whoever broke the one must not get people onto the other.
  const port = gateway?.tlsPort ?? gateway?.plainPort;
  const byGateway =
    address === undefined || port === undefined ? [] : [way(port, gateway?.tlsPort !== undefined)];
  const byApi: SshWay[] = podName === undefined ? [] : [{ way: "sshpod", pod: podName, namespace }];
  return {
    kind: sshTargetKind,
    name: plan.name,
    namespace,
    user: plan.user.name,
    hostName: plan.hostNames[0] ?? plan.name,
    port: plan.ssh.port,
    hostKeys: [...surroundings.hostKeys],
    ways: [...byGateway, ...furtherWays, ...byApi],
    ...(plan.running === false ? { running: false } : {}),
    ...(plan.idle === undefined ? {} : { sleeps: true }),
    home: plan.homePath,
  };
}

/** The certificate and the TLS listener are for names below the domain, which an address often is not. */
function nameFor(address: string, { name, domain }: { name: string; domain: string }) {
  return address.endsWith(`.${domain}`) ? {} : { serverName: `${name}.${domain}` };
}
