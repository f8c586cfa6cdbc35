/** How many tunnels one client may open, as Envoy counts them. */
import type { ClientLimits, Rate } from "../common/client-limits.ts";

// Who has IPv6 has a whole network of addresses.
const client = { masked_remote_address: { v4_prefix_mask_len: 32, v6_prefix_mask_len: 64 } };
// The cluster of the route, so that neither another spelling nor another name of a container is another one.
const container = { destination_cluster: {} };

const always = { default_value: { numerator: 100, denominator: "HUNDRED" } };
const unlimited = { max_tokens: 2 ** 32 - 1, tokens_per_fill: 2 ** 32 - 1, fill_interval: "1s" };

/** The filter before all others, the same for the gateway's whole life; it makes a bucket for whoever comes. */
export function clientLimits({ perClient, perClientAndContainer }: ClientLimits) {
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
