/** Routes that would take the gateway somewhere else than to what a container declared. */
import { type Attack, type Place, variants, type Who } from "./attack.ts";
import { annotated, noNames, ownAnnotation, takesNames } from "./dns-names.ts";
import { base, gatewayOf, many, own, ownService, route, rule, type Spec, theirs } from "./route.ts";
import { shapeAttacks, whatAContainersIs } from "./route-shapes.ts";

const ownNames = /the hosts of a route on gateway \S+ are <name>\.\S+ and <name>\.\S+\.svc\.cluster\.local/;

const to = (host: string) => ({ route: [{ destination: { host, port: { number: 22 } } }] });

const spellings = variants<string>(
  {
    ...base,
    name: "another's name, the gateway written another way",
    refusal: ownNames,
    make: (place, name) => route(place, { gateways: [name], hosts: [theirs(place)] }),
  },
  {
    "namespace/name": gatewayOf,
    "name.namespace": ({ gateway: { name, namespace } }) => `${name}.${namespace}`,
    "name.namespace.svc.cluster.local": ({ gateway: { name, namespace } }) =>
      `${name}.${namespace}.svc.cluster.local`,
    "name.namespace with a dot behind": ({ gateway: { name, namespace } }) => `${name}.${namespace}.`,
    "name.namespace.whatever": ({ gateway: { name, namespace } }) => `${name}.${namespace}.example`,
  },
);

const besidesMesh: Attack = {
  ...base,
  name: "another's name, the gateway beside the mesh",
  refusal: ownNames,
  object: (place) =>
    route(place, { gateways: ["mesh", gatewayOf(place)], hosts: [theirs(place)], exportTo: ["."] }),
};

const hosts = variants<string[]>(
  {
    ...base,
    name: "a name that is not one's own",
    refusal: ownNames,
    make: (place, names) => route(place, { hosts: names }),
  },
  {
    "another's inside the cluster": ({ victim }) => [`box.${victim}.svc.cluster.local`],
    "another's beside one's own": (place) => [own(place), theirs(place)],
    "in capitals": (place) => [theirs(place).toUpperCase()],
    "with a dot behind": (place) => [`${theirs(place)}.`],
    "all names": () => ["*"],
    "all of the domain": ({ gateway }) => [`*.${gateway.domain}`],
    "all of another team": ({ victim, gateway }) => [`*.${victim}.${gateway.domain}`],
    "all inside the cluster": () => ["*.svc.cluster.local"],
    "all of one's own": ({ team, gateway }) => [`*.${team}.${gateway.domain}`, `*.${team}.svc.cluster.local`],
    "one's own alone": (place) => [own(place)],
    "one's own the other way round": (place) => [ownService(place), own(place)],
    "two of one's own": (place) => [own(place), `two.${place.team}.svc.cluster.local`],
    "one's own and more": (place) => [own(place), ownService(place), `two.${place.team}.svc.cluster.local`],
    "a short one": () => ["own"],
    "own part in front": ({ victim, team, gateway }) => [`own.${team}.${victim}.${gateway.domain}`],
    "a domain that only looks alike": ({ team, gateway }) => [
      `own.${team}.${gateway.domain.replace(".", "x")}.com`,
    ],
    "a domain behind one's own": (place) => [`${own(place)}.example.org`],
    "a cluster that only looks alike": ({ team }) => [`own.${team}.svcxcluster.local.org`],
    "the API server's": () => ["kubernetes.default.svc.cluster.local"],
  },
);

const destinations = variants<string>(
  {
    ...base,
    name: "one's own name, another destination",
    refusal: /every route on gateway \S+ must lead to a Service of its own namespace/,
    make: (place, host) => route(place, { http: [rule(place, to(host))] }),
  },
  {
    "another's container": ({ victim }) => `box.${victim}.svc.cluster.local`,
    "the API server": () => "kubernetes.default.svc.cluster.local",
    istiod: () => "istiod.istio-system.svc.cluster.local",
    "the internet": () => "example.org",
    "a short name": () => "own",
    "a ServiceEntry that looks alike": ({ team }) => `own.x.${team}.svc.cluster.local`,
    "a name that only looks alike": ({ team }) => `own.${team}.svcxcluster.local`,
    "an address": () => "127.0.0.1",
    "behind one's own": ({ team }) => `own.${team}.svc.cluster.local.example.org`,
    "a wildcard": ({ team }) => `*.${team}.svc.cluster.local`,
  },
);

const destinationOfTwo: Attack = {
  ...base,
  name: "one's own name, another destination: a second one",
  refusal: /every route on gateway \S+ must lead to a Service of its own namespace/,
  object: (place) =>
    route(place, {
      http: [
        rule(place, {
          route: [
            { destination: { host: ownService(place) }, weight: 1 },
            { destination: { host: `box.${place.victim}.svc.cluster.local` }, weight: 99 },
          ],
        }),
      ],
    }),
};

/** Envoy takes no route whose destinations have no weight, and with it none of anybody's. */
const destinationsWithoutWeight: Attack = {
  ...base,
  name: "one's own name, several destinations",
  refusal: whatAContainersIs,
  object: (place) =>
    route(place, {
      http: [rule(place, { route: many(2, () => ({ destination: { host: ownService(place) } })) })],
    }),
};

const secondRule: Attack = {
  ...base,
  name: "one's own name, another destination: in a second rule",
  refusal: /every route on gateway \S+ must lead to a Service of its own namespace/,
  object: (place) =>
    route(place, { http: [rule(place), rule(place, to(`box.${place.victim}.svc.cluster.local`))] }),
};

const noDestination = variants<Spec>(
  {
    ...base,
    name: "a rule that leads nowhere by itself",
    refusal: whatAContainersIs,
    make: (place, action) =>
      route(place, {
        http: [{ name: "ssh-connect", match: [{ authority: { regex: "[^:]+:22" } }], ...action }],
      }),
  },
  {
    delegate: ({ victim }) => ({ delegate: { name: "box-ssh", namespace: victim } }),
    redirect: () => ({ redirect: { authority: "example.org" } }),
    directResponse: () => ({ directResponse: { status: 200, body: { string: "SSH-2.0-me" } } }),
    "nothing at all": () => ({}),
  },
);

const otherRoutes = variants<Spec>(
  {
    ...base,
    name: "a route that is not HTTP",
    refusal: whatAContainersIs,
    make: (place, spec) => route(place, spec),
  },
  {
    tcp: ({ victim }) => ({ tcp: [to(`box.${victim}.svc.cluster.local`)] }),
    tls: (place) => ({
      tls: [{ match: [{ sniHosts: [own(place)] }], ...to(`box.${place.victim}.svc.cluster.local`) }],
    }),
  },
);

const notSsh: Attack = {
  ...base,
  name: "HTTP by one's own name",
  refusal: whatAContainersIs,
  object: (place) => route(place, { http: [rule(place), rule(place, { name: "web" })] }),
};

const twinInMesh = (who: Who) => (place: Place) => route(place, { gateways: ["mesh"] }, who);

const unmarked = variants<Spec>(
  {
    policy: "",
    who: "bystander",
    name: "a route of somebody who is no team",
    refusal: /takes routes only from the namespaces of teams; label this one: kubectl label namespace /,
    make: (place, spec) => route(place, spec, "bystander"),
    twin: twinInMesh("bystander"),
  },
  {
    "by names of its own": (place) => {
      const service = `own.${place.bystander}.svc.cluster.local`;
      return {
        hosts: [`own.${place.bystander}.${place.gateway.domain}`, service],
        http: [rule(place, to(service))],
      };
    },
  },
);

const fromTheGateway = variants<string>(
  {
    policy: "",
    who: "gateway",
    name: "a route of the gateway's own namespace",
    refusal: /takes routes only from the namespaces of teams/,
    make: (place, name) =>
      route(
        place,
        {
          gateways: [name],
          hosts: [`x.${place.gateway.namespace}.svc.cluster.local`],
          http: [{ name: "ssh-connect", ...to(`x.${place.gateway.namespace}.svc.cluster.local`) }],
        },
        "gateway",
      ),
    twin: twinInMesh("gateway"),
  },
  { name: ({ gateway }) => gateway.name, "./name": ({ gateway }) => `./${gateway.name}` },
);

const internals = variants<Record<string, string>>(
  {
    ...base,
    name: "istiod's own annotations",
    refusal: /annotations internal\.istio\.io\/… are istiod's own; remove them/,
    make: (place, annotations) => {
      const object = route(place);
      return { ...object, metadata: { ...object.metadata, annotations } };
    },
  },
  {
    "route-semantics": () => ({ "internal.istio.io/route-semantics": "gateway" }),
    parents: () => ({ "internal.istio.io/parents": "HTTPRoute/x" }),
    "parent-namespace": ({ gateway }) => ({ "internal.istio.io/parent-namespace": gateway.namespace }),
  },
);

const inTheMesh = variants<Spec>(
  {
    ...base,
    policy: "team-routes",
    name: "a route that others' sidecars obey",
    refusal: /a team's route must name gateways other than mesh/,
    make: (place, spec) =>
      route(place, { hosts: [`shop.${place.bystander}.svc.cluster.local`], http: [rule(place)], ...spec }),
  },
  {
    "in the mesh": () => ({ gateways: ["mesh"] }),
    "in the mesh by default": () => ({ gateways: [] }),
    "in the mesh, exported to all": () => ({ gateways: ["mesh"], exportTo: ["*"] }),
    "in the mesh, exported to one": ({ bystander }) => ({ gateways: ["mesh"], exportTo: [bystander] }),
    "in the mesh, exported to itself and one": ({ bystander }) => ({
      gateways: ["mesh"],
      exportTo: [".", bystander],
    }),
    "in the mesh and on a gateway": ({ bystander }) => ({ gateways: ["mesh", `${bystander}/own`] }),
  },
);

const namesInDns = variants<string>(
  {
    ...base,
    policy: "team-routes",
    name: "a route that takes a name in the DNS",
    refusal: noNames,
    make: (place, key) => annotated(route(place), key),
    twin: (place) => annotated(route(place), ownAnnotation),
  },
  takesNames,
);

export const routeAttacks: readonly Attack[] = [
  ...spellings,
  besidesMesh,
  ...hosts,
  ...destinations,
  destinationOfTwo,
  destinationsWithoutWeight,
  secondRule,
  ...noDestination,
  ...shapeAttacks,
  ...otherRoutes,
  notSsh,
  ...unmarked,
  ...fromTheGateway,
  ...internals,
  ...inTheMesh,
  ...namesInDns,
];
