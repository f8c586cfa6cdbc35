/**
 * Limits for each client address (for IPv6, each network of 64 bits). Behind a LoadBalancer that hides its clients'
 * addresses all clients are one: have it keep the addresses, or raise the limits.
 */
export interface ClientLimitsArgs {
  /**
   * Connections to whichever container, those that are refused for another reason among them.
   * @default 300 a minute, 300 at once
   */
  perClient?: RateArgs;
  /**
   * Connections to one container. Beyond a third of the burst a gateway slows a client down, so that a loop stays below
   * the limit; an FrpServer lets it wait for its turn, up to a minute. Sized so that one address cannot use up the
   * connections that the container's sshd keeps waiting for their login (`ssh.maxStartups`): proxies × listeners ×
   * (burst + connectionsPerMinute × loginGraceSeconds / 60), and the same once more for frp, must stay below half of
   * that.
   * @default at a gateway 20 a minute, 30 at once; at an FrpServer 30 a minute, 4 at once
   */
  perClientAndContainer?: RateArgs;
}

/** A rate with a burst: a bucket that is full at first and refilled evenly. */
export interface RateArgs {
  /** New connections per minute in the long run. */
  connectionsPerMinute?: number;
  /** New connections at once, as when everybody in an office behind one address comes back after a break. */
  burst?: number;
}
