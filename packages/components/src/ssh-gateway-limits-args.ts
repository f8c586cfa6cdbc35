/**
 * Limits for each client address (for IPv6, each network of 64 bits). Behind a LoadBalancer that hides its clients'
 * addresses all clients are one: raise the limits there, or have it keep the addresses.
 */
export interface SshGatewayLimitsArgs {
  /**
   * Tunnels to whichever container, and requests that are refused for another reason.
   * @default 300 a minute, 300 at once
   */
  perClient?: SshGatewayRateArgs;
  /**
   * Tunnels to one container. Sized so that one address cannot use up the connections that the container's sshd keeps
   * waiting for their login (`sshd.maxStartups`): proxies × listeners × (burst + connectionsPerMinute ×
   * loginGraceSeconds / 60) must stay below half of that.
   * @default 40 a minute, 20 at once
   */
  perClientAndContainer?: SshGatewayRateArgs;
}

/** A rate with a burst: a bucket that is full at first and refilled evenly. */
export interface SshGatewayRateArgs {
  /** New connections per minute in the long run. */
  connectionsPerMinute?: number;
  /** New connections at once, as when everybody in an office behind one address comes back after a break. */
  burst?: number;
}
