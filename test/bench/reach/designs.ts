/** How each design makes a container reachable: what it adds for one, and at which door a client knocks. */
import { selectorLabels } from "@drawbridge-iac/drawbridge/src/kubernetes/labels";
import { inlineEnvoyFilter } from "../../support/seed-design.ts";
import type { KubeApi, KubeObject } from "../support/api.ts";
import { sinkPort, sinkRoute } from "../support/sink.ts";
import type { TunnelDoor } from "../support/tunnels.ts";
import { type Container, namespaces } from "./containers.ts";

export const domain = "reach.example.com";
/** Namespaces: our gateway's and the one that runs by EnvoyFilters of its own. */
export const ourGateway = "bench-reach-gw";
export const filterGateway = "bench-reach-filters";

/** Addresses of the gateways, by name. */
export type Addresses = Readonly<Record<string, string>>;

/** A design with one object per container on a gateway that is there already. */
export interface RouteDesign {
  /** Its name in the figures. */
  readonly rival: string;
  /** The gateway that serves it. */
  readonly gateway: string;
  /** What makes a container reachable whose Service exists. */
  readonly route: (container: Container) => KubeObject;
  /** Where a client of the container knocks. */
  readonly door: (container: Container, addresses: Addresses) => TunnelDoor;
}

const selector = selectorLabels("ssh-gateway", filterGateway);
const internal = ({ name, namespace }: Container) => `${name}.${namespace}.svc.cluster.local`;
const filterDoor = (container: Container, addresses: Addresses) => ({
  address: addresses[filterGateway] ?? "",
  port: 80,
  authority: `${internal(container)}:${sinkPort}`,
});

/** A virtual host of its own in the gateway's routes: an EnvoyFilter that touches no listener. */
function routeFilter(container: Container) {
  const host = internal(container);
  return {
    apiVersion: "networking.istio.io/v1alpha3",
    kind: "EnvoyFilter",
    metadata: { name: container.name, namespace: filterGateway },
    spec: {
      workloadSelector: { labels: selector },
      configPatches: [
        {
          applyTo: "VIRTUAL_HOST",
          match: { context: "GATEWAY", routeConfiguration: { portNumber: 80 } },
          patch: {
            operation: "ADD",
            value: {
              name: container.name,
              // Istio's gateways strip the port before they look for a host.
              domains: [host],
              routes: [
                {
                  match: {
                    connect_matcher: {},
                    headers: [{ name: ":authority", string_match: { exact: `${host}:${sinkPort}` } }],
                  },
                  route: {
                    cluster: `outbound|${sinkPort}||${host}`,
                    idle_timeout: "0s",
                    upgrade_configs: [{ upgrade_type: "CONNECT", enabled: true, connect_config: {} }],
                  },
                },
              ],
            },
          },
        },
      ],
    },
  };
}

export const routeDesigns: readonly RouteDesign[] = [
  {
    rival: "drawbridge",
    gateway: ourGateway,
    route: ({ name, namespace }) => sinkRoute(namespace, name, domain, ourGateway),
    door: ({ name, namespace }, addresses) => ({
      address: addresses[ourGateway] ?? "",
      port: 80,
      authority: `${name}.${namespace}.${domain}:${sinkPort}`,
    }),
  },
  {
    rival: "seed",
    gateway: filterGateway,
    route: (container) =>
      inlineEnvoyFilter(container.name, filterGateway, selector, internal(container), sinkPort),
    door: filterDoor,
  },
  { rival: "route filters", gateway: filterGateway, route: routeFilter, door: filterDoor },
];

/** Tells a scenario's routes from the gateways' own objects. */
const routeLabel = { "drawbridge.dev/bench": "route" };

/** A container's route as it is created. */
export function routeOf(design: RouteDesign, container: Container): KubeObject {
  const route = design.route(container);
  return { ...route, metadata: { ...route.metadata, labels: routeLabel } } as KubeObject;
}

/** Removes all routes of a design, whichever namespaces it keeps them in. */
export async function clearRoutes(api: KubeApi, design: RouteDesign): Promise<void> {
  const routes = namespaces.map((namespace) => design.route({ name: "any", namespace }));
  const places = new Map(routes.map((route) => [route.metadata.namespace, route]));
  for (const route of places.values()) await api.removeAll(route, "drawbridge.dev/bench=route");
}
