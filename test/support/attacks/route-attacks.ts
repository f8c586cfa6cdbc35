/** Routes that a neighbour might write on the storages' Istio gateway, as changes of a proper one. */
import type { Place } from "./attack.ts";

/** A change of a route that has one rule. */
export interface RouteChange {
  readonly spec?: Readonly<Record<string, unknown>>;
  readonly rule?: Readonly<Record<string, unknown>>;
  /** A field that is taken out of the rule. */
  readonly without?: string;
  readonly annotations?: Readonly<Record<string, string>>;
}

/** The route of the neighbour's storage `made`, with a change. */
export function storageRoute({ proxy, team }: Place, { spec, rule, without, annotations }: RouteChange = {}) {
  const whole: Record<string, unknown> = { name: "storage", match: paths(team), route: toOwn(team), ...rule };
  if (without !== undefined) delete whole[without];
  return {
    apiVersion: "networking.istio.io/v1",
    kind: "VirtualService",
    metadata: { name: "made", namespace: team, ...(annotations && { annotations }) },
    spec: {
      hosts: [proxy.dnsName],
      gateways: [`${proxy.namespace}/${proxy.name}`],
      exportTo: [proxy.namespace],
      http: [whole],
      ...spec,
    },
  };
}

const to = (host: string, number = 5000) => [{ destination: { host, port: { number } } }];
const toOwn = (namespace: string) => to(`made-files.${namespace}.svc.cluster.local`);
const paths = (namespace: string) => [
  { uri: { exact: `/storage/${namespace}/made` } },
  { uri: { prefix: `/storage/${namespace}/made/` } },
];
const notReady =
  "503: this storage is not served now: it is still being prepared or started, or its accessor is switched off.\n";

/** Each attack: what it is called, the change, and what the API server says to it. */
export function routeAttacks({ proxy: own, victim, team }: Place): [string, RouteChange, string][] {
  const host = own.dnsName;
  const gateway = `${own.namespace}/${own.name}`;
  const dotted = `${own.name}.${own.namespace}`;
  const everywhere = { hosts: ["*"] };
  const answered = (status: number, text: string): RouteChange => ({
    without: "route",
    rule: { directResponse: { status, body: { string: text } } },
  });
  const all = (message: string, attacks: [string, RouteChange][]) =>
    attacks.map(([what, change]): [string, RouteChange, string] => [what, change, message]);
  return [
    ...all(`a route on gateway ${gateway} must have the one host ${host}`, [
      ["every host", { spec: everywhere }],
      ["all hosts of the domain", { spec: { hosts: ["*.example.com"] } }],
      ["a more specific host", { spec: { hosts: [`login.${host}`] } }],
      ["the host and another", { spec: { hosts: [host, "login.example.com"] } }],
      ["the host in capitals", { spec: { hosts: [host.toUpperCase()] } }],
      ["no host", { spec: { hosts: [] } }],
      ["the gateway as name.namespace", { spec: { ...everywhere, gateways: [dotted] } }],
      ["its cluster's name", { spec: { ...everywhere, gateways: [`${dotted}.svc.cluster.local`] } }],
      ["the gateway with any end", { spec: { ...everywhere, gateways: [`${dotted}.x`] } }],
      ["the gateway among others", { spec: { ...everywhere, gateways: ["mesh", "own", gateway] } }],
    ]),
    ...all(`every route on gateway ${gateway} must match a path below /storage/${team}/`, [
      ["every path", { rule: { match: [{ uri: { prefix: "/" } }] } }],
      ["no path", { without: "match" }],
      ["the team's path", { rule: { match: [{ uri: { prefix: `/storage/${victim}/` } }] } }],
      [
        "the team's path beside its own",
        {
          rule: {
            match: [{ uri: { prefix: `/storage/${team}/x/` } }, { uri: { exact: `/storage/${victim}/x` } }],
          },
        },
      ],
      ["paths by a pattern", { rule: { match: [{ uri: { regex: ".*" } }] } }],
      ["a namespace that begins alike", { rule: { match: paths(`${team}x`) } }],
      ["a path that no storage has", { rule: { match: paths(`${team}/x`) } }],
      ["a header alone", { rule: { match: [{ headers: { cookie: { regex: ".*" } } }] } }],
    ]),
    ...all(
      `every route on gateway ${gateway} must lead to a Service of its own namespace, written <service>.${team}.svc.cluster.local`,
      [
        ["the team's Service", { rule: { route: to(`vault-istio-files.${victim}.svc.cluster.local`) } }],
        ["every Service", { rule: { route: to(`*.${team}.svc.cluster.local`) } }],
        ["a short name", { rule: { route: to("made-istio-files") } }],
        ["the API server", { rule: { route: to("kubernetes.default.svc.cluster.local") } }],
        ["a name that ends alike", { rule: { route: to(`x.y.${team}.svc.cluster.local`) } }],
        ["an outside name", { rule: { route: to("example.com") } }],
      ],
    ),
    ...all(
      `a route on gateway ${gateway} is what a storage's is: its path, exactly and with what is below, to port 5000 of a Service, or the 503 of a storage that is off; what else you route goes on a gateway of your own`,
      [
        ["the gateway beside one's own", { spec: { gateways: [gateway, "own"] } }],
        ["exported to all", { spec: { exportTo: ["*"] } }],
        ["no rule's name", { without: "name" }],
        [
          "two rules",
          { spec: { http: Array(2).fill({ name: "storage", match: paths(team), route: toOwn(team) }) } },
        ],
        ["two Services without a weight", { rule: { route: [...toOwn(team), ...toOwn(team)] } }],
        ["another port", { rule: { route: to(`made-files.${team}.svc.cluster.local`, 5001) } }],
        ["its path alone", { rule: { match: paths(team).slice(0, 1) } }],
        ["its path, and what is below the team's", { rule: { match: [paths(team)[0], paths(victim)[1]] } }],
        ["many matches", { rule: { match: [...paths(team), ...paths(team)] } }],
        ["a path made another", { rule: { rewrite: { uri: `/storage/${victim}/vault-istio/` } } }],
        ["a delegate", { without: "route", rule: { delegate: { name: "x", namespace: team } } }],
        ["a redirect", { without: "route", rule: { redirect: { authority: "evil.example.com" } } }],
        ["a mirror", { rule: { mirror: { host: "kubernetes.default.svc.cluster.local" } } }],
        ["mirrors", { rule: { mirrors: [{ destination: { host: "example.com" } }] } }],
        ["headers of answers", { rule: { headers: { response: { set: { "set-cookie": "x=1" } } } } }],
        ["headers of requests", { rule: { headers: { request: { set: { authorization: "x" } } } } }],
        [
          "headers of one destination",
          {
            rule: {
              route: [
                {
                  ...to(`made-istio-files.${team}.svc.cluster.local`)[0],
                  headers: { response: { remove: ["x"] } },
                },
              ],
            },
          },
        ],
        [
          "a destination's subset",
          { rule: { route: [{ destination: { host: `x.${team}.svc.cluster.local`, subset: "x" } }] } },
        ],
        ["CORS", { rule: { corsPolicy: { allowOrigins: [{ regex: ".*" }], allowCredentials: true } } }],
        ["a fault", { rule: { fault: { abort: { httpStatus: 401, percentage: { value: 100 } } } } }],
        [
          "any case of its path",
          { rule: { match: paths(team).map((match) => ({ ...match, ignoreUriCase: true })) } },
        ],
        ["a page of its own", answered(200, "<script>")],
        ["our words with another status", answered(401, notReady)],
        ["a 503 of its own words", answered(503, "<script>")],
        ["TLS passed through", { spec: { tls: [{ match: [{ sniHosts: [host] }], route: to("x") }] } }],
        ["TCP", { spec: { tcp: [{ route: [{ destination: { host: "x" } }] }] } }],
      ],
    ),
    ...all("annotations internal.istio.io/… are istiod's own; remove them", [
      ["istiod's own words", { annotations: { "internal.istio.io/route-semantics": "gateway" } }],
    ]),
  ];
}

/** What stays allowed. */
export function acceptedRoutes({ proxy: { name, namespace } }: Place): [string, RouteChange][] {
  return [
    ["as a storage has it", {}],
    [
      "of a storage that is off",
      { without: "route", rule: { directResponse: { status: 503, body: { string: notReady } } } },
    ],
    [
      "on gateways of one's own, with what is refused here",
      {
        spec: {
          gateways: ["own", `other-files/${name}`, `x${name}.${namespace}`],
          hosts: ["*"],
          http: [{ redirect: { authority: "example.com" } }],
        },
      },
    ],
  ];
}
