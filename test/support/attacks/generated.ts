/** Random routes and DestinationRules, from a seed, close to the limits of what the policies accept. */
import fc from "fast-check";
import { clientCertificatePattern, portPattern } from "../../../packages/manifests/src/istio/ssh-route.ts";
import type { ApiObject } from "./api-user.ts";
import { named, type Place } from "./attack.ts";
import { rule as destinationRule } from "./istio.ts";
import { route } from "./route.ts";

const seed = 37;
/** Nine times in ten or so the first, which is what a container's own route has. */
const mostly = <T>(usual: fc.Arbitrary<T>, ...others: fc.Arbitrary<T>[]) =>
  fc.oneof({ weight: 9, arbitrary: usual }, ...others.map((arbitrary) => ({ weight: 1, arbitrary })));

const port = fc.constantFrom("1", "22", "443", "65535", "0", "00022", "99999", "");
const word = fc.stringMatching(/^[A-Za-z0-9_-][A-Za-z0-9._-]{0,20}$/);
const identity = fc
  .tuple(fc.stringMatching(/^[a-z0-9._-]{1,30}$/), fc.array(word, { minLength: 1, maxLength: 4 }))
  .map(([domain, path]) => `spiffe://${[domain, ...path].join("/")}`);
// A list that is an output may turn out to be empty.
const identities = fc.array(identity, { maxLength: 12 }).map(clientCertificatePattern);
const foreignRegex = fc.constantFrom(
  "\\p{Letter}+:22",
  "[[:word:]]+",
  "(?i:x)",
  "a{1000}",
  "[^:]{1000}".repeat(40),
  "",
);

/** A label of a DNS name. */
const label = fc.stringMatching(/^[a-z0-9]([-a-z0-9]{0,40}[a-z0-9])?$/);
const hosts = ({ team, gateway }: Place) =>
  fc.array(
    fc
      .tuple(label, fc.boolean())
      .map(([name, inside]) =>
        inside ? `${name}.${team}.svc.cluster.local` : `${name}.${team}.${gateway.domain}`,
      ),
    { minLength: 1, maxLength: 5 },
  );

const authority = (place: Place) =>
  mostly<object | undefined>(
    port.map((number) => ({ regex: portPattern(number) })),
    fc.constant(undefined),
    fc.tuple(hosts(place), port).map(([[name], number]) => ({ exact: `${name}:${number}` })),
    hosts(place).map(([name]) => ({ prefix: name })),
    foreignRegex.map((regex) => ({ regex })),
  );
const headers = mostly<object | undefined>(
  fc.constant(undefined),
  identities.map((regex) => ({ "x-forwarded-client-cert": { regex } })),
  foreignRegex.map((regex) => ({ "x-forwarded-client-cert": { regex } })),
  identities.map((exact) => ({ "x-other": { exact } })),
);
const retries = mostly<object | undefined>(
  fc.constantFrom(undefined, { attempts: 0 }),
  fc.constantFrom(
    { attempts: 2 },
    { attempts: 0, retryOn: "nonsense" },
    { attempts: 1, perTryTimeout: "0.0001s" },
  ),
);
const destination = (place: Place) =>
  fc.record({ name: label, number: fc.constantFrom(undefined, 1, 22, 65_535) }).map(({ name, number }) => ({
    destination: {
      host: `${name}.${place.team}.svc.cluster.local`,
      ...(number === undefined ? {} : { port: { number } }),
    },
  }));

const httpRule = (place: Place) =>
  fc
    .record({
      match: mostly(
        fc.record({ authority: authority(place), headers }).map((one) => [one]),
        fc.constant<object[]>([]),
        fc.constant<object[]>([{ queryParams: { a: { regex: "\\p{Letter}" } } }]),
      ),
      retries,
      route: mostly(
        destination(place).map((one) => [one]),
        fc.array(destination(place), { minLength: 0, maxLength: 2 }),
      ),
    })
    .map((made) => ({ name: "ssh-connect", ...JSON.parse(JSON.stringify(made)) }));

/** @param prefix what their names begin with */
export function generatedRoutes(place: Place, count: number, prefix: string): ApiObject[] {
  const spec = fc.record({
    hosts: hosts(place),
    http: fc.array(httpRule(place), { minLength: 1, maxLength: 9 }),
  });
  return fc
    .sample(spec, { seed, numRuns: count })
    .map((changes, index) => named(route(place, changes), `${prefix}-${index}`));
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

/** All are called the same: one Service's rule, again and again changed. */
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
