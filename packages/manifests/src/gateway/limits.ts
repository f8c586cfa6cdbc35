/** How many tunnels one client may open: a flood from one address must not keep the others out. */
import type { z } from "zod";
import { strict } from "../common/schema.ts";
import { whole } from "../common/shapes.ts";

const rate = (connectionsPerMinute: number, burst: number) =>
  strict({
    connectionsPerMinute: whole(1, 1_000_000, "connections per minute").default(connectionsPerMinute),
    burst: whole(1, 1_000_000, "connections").default(burst),
  }).prefault({});

/**
 * The second default is sized with sshd's own (container/sshd-config.ts): two proxies let 2 × (20 + 40 × 30 s) = 80
 * connections of one address wait for their login at one sshd, which refuses none before its hundredth.
 */
export const limitsSchema = strict({
  perClient: rate(300, 300),
  perClientAndContainer: rate(40, 20),
});

export type GatewayLimits = z.output<typeof limitsSchema>;
type Rate = GatewayLimits["perClient"];

// Who has IPv6 has a whole network of addresses.
const client = { masked_remote_address: { v4_prefix_mask_len: 32, v6_prefix_mask_len: 64 } };
// The cluster of the route, so that neither another spelling nor another name of a container is another one.
const container = { destination_cluster: {} };

const always = { default_value: { numerator: 100, denominator: "HUNDRED" } };
const unlimited = { max_tokens: 2 ** 32 - 1, tokens_per_fill: 2 ** 32 - 1, fill_interval: "1s" };

/** The filter before all others, the same for the gateway's whole life; it makes a bucket for whoever comes. */
export function clientLimits({ perClient, perClientAndContainer }: GatewayLimits) {
  const bucket = ({ burst, connectionsPerMinute }: Rate) => ({
    max_tokens: burst,
    tokens_per_fill: connectionsPerMinute,
    fill_interval: "60s",
  });
  return {
    name: "envoy.filters.http.local_ratelimit",
    typed_config: {
      "@type": "type.googleapis.com/envoy.extensions.filters.http.local_ratelimit.v3.LocalRateLimit",
      stat_prefix: "per_client",
      filter_enabled: always,
      filter_enforced: always,
      // Only the buckets below count.
      token_bucket: unlimited,
      always_consume_default_token_bucket: false,
      // Beyond this many the longest unused is forgotten, and is full when it comes again.
      max_dynamic_descriptors: 10_000,
      rate_limits: [{ actions: [client] }, { actions: [client, container] }],
      // An entry without a value stands for every one.
      descriptors: [
        { entries: [{ key: "masked_remote_address" }], token_bucket: bucket(perClient) },
        {
          entries: [{ key: "masked_remote_address" }, { key: "destination_cluster" }],
          token_bucket: bucket(perClientAndContainer),
        },
      ],
    },
  };
}
