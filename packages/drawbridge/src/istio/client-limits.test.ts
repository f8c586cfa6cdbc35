import fc from "fast-check";
import { expect, it } from "vitest";
import { faultsOf, patchesOf, planOf } from "../ssh-gateway/plan.fixture.ts";

const client = { masked_remote_address: { v4_prefix_mask_len: 32, v6_prefix_mask_len: 64 } };
const everybody = { default_value: { numerator: 100, denominator: "HUNDRED" } };

/** All filters that these limits insert, in the order in which a request comes to them. */
const filtersOf = (args: Parameters<typeof planOf>[0] = {}) =>
  patchesOf(planOf(args))
    .filter(({ patch }) => patch.operation === "INSERT_FIRST")
    .map(({ patch }) => patch.value as { name: string; typed_config: Record<string, unknown> })
    .reverse();

it("counts each client's requests, and those to one container, before any other filter", () => {
  const perClient = { connectionsPerMinute: 7, burst: 5 };
  const perClientAndContainer = { connectionsPerMinute: 3, burst: 2 };
  const limits = patchesOf(planOf({ connectionLimits: { perClient, perClientAndContainer } }))
    .map(({ patch }) => patch)
    .filter(({ value = {} }) => "name" in value && value.name === "envoy.filters.http.local_ratelimit");
  expect(limits).toEqual([
    {
      operation: "INSERT_FIRST",
      value: {
        name: "envoy.filters.http.local_ratelimit",
        typed_config: {
          "@type": "type.googleapis.com/envoy.extensions.filters.http.local_ratelimit.v3.LocalRateLimit",
          stat_prefix: "per_client",
          filter_enabled: everybody,
          filter_enforced: everybody,
          token_bucket: { max_tokens: 4294967295, tokens_per_fill: 4294967295, fill_interval: "1s" },
          always_consume_default_token_bucket: false,
          max_dynamic_descriptors: 10000,
          rate_limits: [{ actions: [client] }, { actions: [client, { destination_cluster: {} }] }],
          descriptors: [
            {
              entries: [{ key: "masked_remote_address" }],
              token_bucket: { max_tokens: 5, tokens_per_fill: 7, fill_interval: "60s" },
            },
            {
              entries: [{ key: "masked_remote_address" }, { key: "destination_cluster" }],
              token_bucket: { max_tokens: 2, tokens_per_fill: 3, fill_interval: "60s" },
            },
          ],
        },
      },
    },
  ]);
});

it("slows down who is on the way to a container's limit: a quarter passes at once, the others wait", () => {
  const [, slow, slowed] = filtersOf();
  expect(filtersOf().map(({ name }) => name)).toEqual([
    "envoy.filters.http.local_ratelimit",
    "drawbridge.slow",
    "drawbridge.slowed",
  ]);
  expect(slow?.typed_config).toMatchObject({
    stat_prefix: "slow",
    filter_enabled: everybody,
    filter_enforced: { default_value: { numerator: 0, denominator: "HUNDRED" } },
    rate_limits: [{ actions: [client, { destination_cluster: {} }] }],
    descriptors: [
      {
        entries: [{ key: "masked_remote_address" }, { key: "destination_cluster" }],
        token_bucket: { max_tokens: 10, tokens_per_fill: 5, fill_interval: "60s" },
      },
    ],
    request_headers_to_add_when_not_enforced: [
      { header: { key: "x-drawbridge-slow", value: "1" }, append_action: "OVERWRITE_IF_EXISTS_OR_ADD" },
    ],
  });
  expect(slowed?.typed_config).toEqual({
    "@type": "type.googleapis.com/envoy.extensions.filters.http.fault.v3.HTTPFault",
    headers: [{ name: "x-drawbridge-slow", present_match: true }],
    delay: { fixed_delay: "4s", percentage: { numerator: 100, denominator: "HUNDRED" } },
  });
});

it.each([
  [{ connectionsPerMinute: 1, burst: 1 }, 1, 1, "10s"],
  [{ connectionsPerMinute: 60, burst: 45 }, 15, 15, "1.334s"],
  [{ connectionsPerMinute: 1_000_000, burst: 1_000_000 }, 333_333, 250_000, "0.001s"],
])("slows down by %j so that Envoy takes it", (perClientAndContainer, burst, perMinute, delay) => {
  const [, slow, slowed] = filtersOf({ connectionLimits: { perClientAndContainer } });
  expect(slow?.typed_config.descriptors).toMatchObject([
    { token_bucket: { max_tokens: burst, tokens_per_fill: perMinute } },
  ]);
  expect(slowed?.typed_config.delay).toMatchObject({ fixed_delay: delay });
});

it("keeps a loop below the limit, however long it runs and however fast it comes again", () => {
  const bucket = ({ max_tokens: burst, tokens_per_fill: perMinute }: Record<string, number>) => {
    let [tokens, at] = [burst ?? 0, 0];
    return (now: number) => {
      tokens = Math.min(burst ?? 0, tokens + ((now - at) * (perMinute ?? 0)) / 60);
      at = now;
      if (tokens < 1) return false;
      tokens -= 1;
      return true;
    };
  };
  const rates = fc.record({
    connectionsPerMinute: fc.integer({ min: 8, max: 1000 }),
    burst: fc.integer({ min: 3, max: 1000 }),
  });
  fc.assert(
    fc.property(rates, fc.double({ min: 0, max: 5, noNaN: true }), (perClientAndContainer, took) => {
      const filters = filtersOf({ connectionLimits: { perClientAndContainer } });
      const [refuses, marks] = filters.map(({ typed_config: config }) => {
        const descriptors = (config.descriptors ?? []) as { token_bucket: Record<string, number> }[];
        return bucket(descriptors.at(-1)?.token_bucket ?? {});
      });
      const { fixed_delay: delay } = (filters[2]?.typed_config.delay ?? {}) as { fixed_delay?: string };
      for (let [round, now] = [0, 0]; round < 500; round++) {
        expect(refuses?.(now)).toBe(true);
        now += took + (marks?.(now) === true ? 0 : Number.parseFloat(delay ?? ""));
      }
    }),
  );
});

it("fills in what is left out, and leaves somebody else's gateway alone", () => {
  const defaults = {
    perClient: { connectionsPerMinute: 300, burst: 300 },
    perClientAndContainer: { connectionsPerMinute: 20, burst: 30 },
  };
  expect(planOf().connectionLimits).toEqual(defaults);
  const perClient = { burst: 50 };
  expect(planOf({ connectionLimits: { perClient } }).connectionLimits).toEqual({
    ...defaults,
    perClient: { connectionsPerMinute: 300, burst: 50 },
  });
  const existing = { namespace: "istio-ingress", selector: { istio: "ingress" } };
  expect(planOf({ existing }).connectionLimits).toBe(undefined);
  expect(filtersOf({ existing })).toEqual([]);
  const unlimited = patchesOf({ ...planOf(), connectionLimits: undefined });
  expect(unlimited).toEqual(patchesOf(planOf()).filter(({ patch }) => patch.operation !== "INSERT_FIRST"));
});

it("refuses a rate of nothing, and what has no unit", () => {
  expect(
    faultsOf({ connectionLimits: { perClient: { connectionsPerMinute: 0, burst: -1 }, perContainer: {} } }),
  ).toEqual([
    'connectionLimits: unknown key "perContainer"',
    "connectionLimits.perClient.burst: -1 is out of range",
    "connectionLimits.perClient.connectionsPerMinute: 0 is out of range",
  ]);
});
