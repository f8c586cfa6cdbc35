/** Routes that the policies take, and DestinationRules around the border of what they take, made at random from a seed. */
import fc from "fast-check";
import type { ApiObject } from "./api-user.ts";
import { named, type Place } from "./attack.ts";
import { rule as destinationRule } from "./istio.ts";
import { container, containerObjects, routeToService, toService } from "./made.ts";

const seed = 37;
/** Mostly the first, which is as a container has it. */
const mostly = <T>(usual: fc.Arbitrary<T>, ...others: fc.Arbitrary<T>[]) =>
  fc.oneof({ weight: 9, arbitrary: usual }, ...others.map((arbitrary) => ({ weight: 1, arbitrary })));

/** @param prefix begins their names */
export function generatedRoutes(place: Place, count: number, prefix: string): ApiObject[] {
  const of = <T>(args: fc.Arbitrary<T>, make: (one: T) => ApiObject[]) =>
    fc.sample(args, { seed, numRuns: count / 2 }).map((one) => make(one)[0] as ApiObject);
  return [
    ...of(container, (one) => containerObjects(place, one)),
    ...of(toService, (one) => routeToService(place, one)),
  ].map((route, index) => named(route, `${prefix}-${index}`));
}

const balancers = mostly<object>(
  fc.constantFrom({ simple: "ROUND_ROBIN" }, { simple: "LEAST_REQUEST" }, { simple: "PASSTHROUGH" }, {}),
  fc.constantFrom(
    { consistentHash: { httpHeaderName: "x\n" } },
    { consistentHash: { useSourceIp: true, ringHash: { minimumRingSize: 8_000_000 } } },
    { localityLbSetting: { enabled: true } },
    { warmupDurationSecs: "1s" },
  ),
);
const policies = fc.record({
  loadBalancer: balancers,
  connectionPool: fc.constantFrom(
    { tcp: { maxConnections: 1 } },
    { http: { http1MaxPendingRequests: 1, idleTimeout: "1s" } },
    {},
  ),
  outlierDetection: fc.constantFrom({ consecutive5xxErrors: 1, interval: "1s", baseEjectionTime: "1s" }, {}),
  tls: fc.constantFrom({ mode: "DISABLE" }, { mode: "ISTIO_MUTUAL", sni: "own" }, {}),
});

/** One after the other they are the rule of one Service. */
export function generatedRules(place: Place, count: number): ApiObject[] {
  const spec = fc.record({
    trafficPolicy: policies,
    subsets: fc
      .array(policies, { maxLength: 9 })
      .map((all) =>
        all.map((trafficPolicy, index) => ({ name: `s${index}`, labels: { app: "own" }, trafficPolicy })),
      ),
  });
  return fc
    .sample(spec, { seed, numRuns: count })
    .map((changes) => named(destinationRule(place, "owner", changes), "generated"));
}
