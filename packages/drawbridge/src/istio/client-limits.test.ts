import fc from "fast-check";
import { expect, it } from "vitest";
import { faultsOf, patchesOf, planOf } from "../ssh-gateway/plan.fixture.ts";

/** All filters that these limits insert, in the order in which a request comes to them. */
const filtersOf = (args: Parameters<typeof planOf>[0] = {}) =>
  patchesOf(planOf(args))
    .filter(({ patch }) => patch.operation === "INSERT_FIRST")
    .map(({ patch }) => patch.value as { name: string; typed_config: Record<string, unknown> })
    .reverse();

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
