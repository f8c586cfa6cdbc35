/** Routes with fields, patterns and numbers that a container's route does not have. */
import { clientCertificatePattern } from "../../../packages/drawbridge/src/istio/ssh-route.ts";
import { type Attack, variants } from "./attack.ts";
import {
  base,
  certificate,
  gatewayOf,
  many,
  own,
  ownIdentities,
  ownService,
  route,
  rule,
  type Spec,
  theirs,
} from "./route.ts";

export const whatAContainersIs = /a route on gateway \S+ is what a container's is: /;

const fields = variants<Spec>(
  {
    ...base,
    name: "a field that a container's route does not have",
    refusal: whatAContainersIs,
    make: (place, field) => route(place, { http: [rule(place, field)] }),
  },
  {
    delegate: ({ victim }) => ({ delegate: { name: "box-ssh", namespace: victim } }),
    redirect: () => ({ redirect: { authority: "example.org" } }),
    mirror: ({ victim }) => ({ mirror: { host: `box.${victim}.svc.cluster.local` } }),
    mirrors: ({ victim }) => ({
      mirrors: [{ destination: { host: `box.${victim}.svc.cluster.local` }, percentage: { value: 100 } }],
    }),
    rewrite: () => ({ rewrite: { authority: "example.org" } }),
    directResponse: () => ({ directResponse: { status: 200, body: { string: "SSH-2.0-me" } } }),
    fault: () => ({ fault: { abort: { httpStatus: 200, percentage: { value: 100 } } } }),
    headers: () => ({ headers: { request: { set: { [certificate]: "URI=x" } } } }),
    corsPolicy: () => ({ corsPolicy: { allowOrigins: [{ exact: "*" }] } }),
    timeout: () => ({ timeout: "1s" }),
    "match by path": () => ({ match: [{ uri: { prefix: "/" } }] }),
    "match by another gateway": () => ({ match: [{ gateways: ["mesh"] }] }),
    "match by a header that is not there": () => ({ match: [{ withoutHeaders: { a: { exact: "b" } } }] }),
    "match by a parameter": () => ({ match: [{ queryParams: { a: { regex: "\\p{Letter}" } } }] }),
    "tries again": () => ({ retries: { attempts: 1 } }),
    "tries again at what it likes": () => ({ retries: { attempts: 0, retryOn: "nonsense" } }),
    "headers of a destination": (place) => ({
      route: [{ destination: { host: ownService(place) }, headers: { request: { set: { a: "b" } } } }],
    }),
    "a subset": (place) => ({ route: [{ destination: { host: ownService(place), subset: "x" } }] }),
  },
);

const authority = { regex: "[^:]+:22" };

/** istiod accepts every Go pattern and Envoy does not; one that Envoy refuses freezes everybody's routes. */
const notOurs = variants<Spec>(
  {
    ...base,
    name: "a pattern that a container's route does not have",
    refusal: whatAContainersIs,
    make: (place, match) => route(place, { http: [rule(place, { match: [{ authority, ...match }] })] }),
  },
  {
    "a class that Envoy does not know": () => ({ authority: { regex: "\\p{Letter}+:22" } }),
    "one too big for Envoy": () => ({ authority: { regex: `${"[^:]{1000}".repeat(40)}:22` } }),
    everything: () => ({ authority: { regex: ".*" } }),
    "ours and more": () => ({ authority: { regex: "[^:]+:22|\\p{Letter}" } }),
    "more and ours": () => ({ authority: { regex: "\\p{Letter}|[^:]+:22" } }),
    "a port that is none": () => ({ authority: { regex: "[^:]+:022222" } }),
    "a port that is another": () => ({ authority: { regex: "[^:]+:23" } }),
    "no authority": () => ({ authority: undefined }),
    "another's name": (place) => ({ authority: { exact: theirs(place) } }),
    "one's own name": (place) => ({ authority: { exact: `${own(place)}:22` } }),
    "one's own name, as a beginning": (place) => ({ authority: { prefix: ownService(place) } }),
    "another's name, as a beginning": (place) => ({ authority: { prefix: theirs(place) } }),
    "every name, as a beginning": () => ({ authority: { prefix: "" } }),
    "a name of one's own, by a pattern": (place) => ({ authority: { regex: own(place) } }),
    "our pattern as a name": () => ({ authority: { exact: "[^:]+:22" } }),
    "a header by a class": () => ({ headers: { [certificate]: { regex: "\\p{Letter}" } } }),
    "another header": () => ({ headers: { "x-other": { regex: ownIdentities } } }),
    "a header's value": () => ({ headers: { [certificate]: { exact: ownIdentities } } }),
    "an identity with a pattern in it": () => ({
      headers: {
        [certificate]: { regex: clientCertificatePattern(["spiffe://example.com/user/[^;]{0,99}"]) },
      },
    }),
    "an identity that is none": () => ({
      headers: { [certificate]: { regex: clientCertificatePattern(["x"]) } },
    }),
    "a pattern before the identities": () => ({
      headers: { [certificate]: { regex: `\\p{Letter}|${ownIdentities}` } },
    }),
    "a pattern behind the identities": () => ({
      headers: { [certificate]: { regex: `${ownIdentities}|\\p{Letter}` } },
    }),
    "identities without end": () => ({
      headers: { [certificate]: { regex: clientCertificatePattern(many(40, identity)) } },
    }),
  },
);

const identity = (index: number) => `spiffe://example.com/user/somebody-${index}`;

const toPort = (number: number, host: string) => ({
  match: [{ authority: { regex: `[^:]+:${number}` } }],
  route: [{ destination: { host, port: { number } } }],
});

/** No port has these numbers. */
const noPorts = variants<number>(
  {
    ...base,
    name: "a port that no container has",
    refusal: whatAContainersIs,
    make: (place, number) => route(place, { http: [rule(place, toPort(number, ownService(place)))] }),
  },
  { zero: () => 0, "one too high": () => 65_536 },
);

/** Each host and each rule is a route more in everybody's table. */
const tooMany = variants<Spec>(
  {
    ...base,
    name: "more than a container's route has",
    refusal: whatAContainersIs,
    make: (place, spec) => route(place, spec),
  },
  {
    "no rules": () => ({ http: [] }),
    "rules to two Services": (place) => ({
      http: [rule(place), rule(place, toPort(22, `two.${place.team}.svc.cluster.local`))],
    }),
    "the gateway beside one's own": (place) => ({ gateways: [gatewayOf(place), "own"] }),
    "exported to all": () => ({ exportTo: ["*"] }),
    rules: (place) => ({ http: many(9, () => rule(place)) }),
    matches: (place) => ({
      http: [rule(place, { match: many(2, (index) => ({ authority: { regex: `[^:]+:${index + 22}` } })) })],
    }),
  },
);

export const shapeAttacks: readonly Attack[] = [...fields, ...notOurs, ...noPorts, ...tooMany];
