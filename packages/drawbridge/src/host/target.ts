import { type SshTarget, type SshWay, sshTargetKind } from "./client-texts/target.ts";
import type { KnownGateway, KnownHost } from "./plan.ts";

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
  const { gatewayAddress, furtherWays = [] } = surroundings;
  const byGateway =
    gateway === undefined || gatewayAddress === undefined ? [] : gatewayWay(gateway, gatewayAddress);
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

function gatewayWay(gateway: KnownGateway, address: string): SshWay[] {
  const { name, domain, plainPort, tlsPort, mutualTls } = gateway;
  // Plain is no fallback for TLS: breaking the one must not get people onto the other.
  const port = tlsPort ?? plainPort;
  if (port === undefined) return [];
  const tls = tlsPort !== undefined;
  // The certificate and the TLS listener are for names below the domain, which an address often is not.
  const named = tls && !address.endsWith(`.${domain}`) ? { serverName: `${name}.${domain}` } : {};
  return [{ way: "gateway", address, port, tls, mutual: mutualTls ?? false, ...named }];
}
