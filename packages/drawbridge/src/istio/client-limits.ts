/** How many tunnels one client may open and how fast, as Envoy counts them. */
import type { Input, Settled } from "../kit/input.ts";
import { envoyExtension, envoyType } from "./envoy.ts";

// Someone with IPv6 has a whole network of addresses, which counts as one client.
const client = { masked_remote_address: { v4_prefix_mask_len: 32, v6_prefix_mask_len: 64 } };
// Counted by the route's cluster, which stays the same for another spelling or another name of a container.
const container = { destination_cluster: {} };

const always = { default_value: { numerator: 100, denominator: "HUNDRED" } };
const never = { default_value: { numerator: 0, denominator: "HUNDRED" } };
const unlimited = { max_tokens: 2 ** 32 - 1, tokens_per_fill: 2 ** 32 - 1, fill_interval: "1s" };

interface RateLater {
  readonly connectionsPerMinute: Input<number>;
  readonly burst: Input<number>;
}

/** An SshGateway's `clientLimits`, whose numbers may come later. */
export interface ClientLimitsLater {
  readonly perClient: RateLater;
  readonly perClientAndContainer: RateLater;
}

export type ClientLimits = Settled<ClientLimitsLater>;

type Rate = Settled<RateLater>;

interface Counted {
  readonly actions: readonly object[];
  readonly rate: Rate;
}

/** A filter that makes a bucket for each client. */
function rateFilter(name: string, statPrefix: string, counted: readonly Counted[], further: object) {
  return {
    name,
    typed_config: {
      "@type": envoyType("extensions.filters.http.local_ratelimit.v3.LocalRateLimit"),
      stat_prefix: statPrefix,
      filter_enabled: always,
      // Only the buckets below count.
      token_bucket: unlimited,
      always_consume_default_token_bucket: false,
      // With more buckets, the one unused for longest is forgotten; when its client comes again, it is full.
      max_dynamic_descriptors: 10_000,
      rate_limits: counted.map(({ actions }) => ({ actions })),
      // An entry without a value stands for every value.
      descriptors: counted.map(({ actions, rate }) => ({
        entries: actions.flatMap((action) => Object.keys(action)).map((key) => ({ key })),
        token_bucket: {
          max_tokens: rate.burst,
          tokens_per_fill: rate.connectionsPerMinute,
          fill_interval: "60s",
        },
      })),
      ...further,
    },
  };
}

/** Refuses clients over the limits. */
export function clientLimits({ perClient, perClientAndContainer }: ClientLimits) {
  const counted = [
    { actions: [client], rate: perClient },
    { actions: [client, container], rate: perClientAndContainer },
  ];
  return rateFilter("envoy.filters.http.local_ratelimit", "per_client", counted, { filter_enforced: always });
}

const slowHeader = "x-drawbridge-slow";

/**
 * Slows down a client that nears the limit of one container, so that a loop never reaches it. After a third of the burst
 * a quarter of the rate still passes at once, and every other connection waits so long that both together stay within
 * the rate. The rest of the burst is for connections that are opened together. The first filter marks, the second delays.
 */
export function clientSlowdown({ perClientAndContainer }: ClientLimits) {
  const { burst, connectionsPerMinute } = perClientAndContainer;
  const part = (value: number, by: number) => Math.max(1, Math.floor(value / by));
  const rate = { burst: part(burst, 3), connectionsPerMinute: part(connectionsPerMinute, 4) };
  const milliseconds = Math.min(10_000, Math.max(1, Math.ceil(60_000 / (connectionsPerMinute * 0.75))));
  const mark = { header: { key: slowHeader, value: "1" }, append_action: "OVERWRITE_IF_EXISTS_OR_ADD" };
  return [
    rateFilter("drawbridge.slow", "slow", [{ actions: [client, container], rate }], {
      filter_enforced: never,
      request_headers_to_add_when_not_enforced: [mark],
    }),
    envoyExtension("drawbridge.slowed", "extensions.filters.http.fault.v3.HTTPFault", {
      headers: [{ name: slowHeader, present_match: true }],
      delay: { fixed_delay: `${milliseconds / 1000}s`, percentage: always.default_value },
    }),
  ];
}
