/** What so many teams, containers and people need, reckoned from the bench's figures and Kubernetes' limits. */
import { at, type Figures } from "./figures.ts";

export interface Demand {
  readonly teams: number;
  readonly containersPerTeam: number;
  /** People who are logged in at once. */
  readonly people: number;
  /** A terminal and an editor. */
  readonly tunnelsPerPerson: number;
  /** Tunnels that carry 40 kB a second each way at once. */
  readonly busyShare: number;
  /** Containers that are made or removed in the busiest hour, of all. */
  readonly changesPerHour: number;
  /** Seconds within which a new container is to be reached. */
  readonly routeSeconds: number;
}

/** Kubernetes' own, for one cluster: github.com/kubernetes/community, sig-scalability/configs-and-limits/thresholds.md. */
export const kubernetesLimits = {
  services: 10_000,
  namespaces: 10_000,
  pods: 150_000,
  nodes: 5_000,
  podsPerNode: 110,
  /** etcd's suggested maximum: etcd.io, "System limits". */
  storedBytes: 8 * 1024 ** 3,
} as const;

/** So that one proxy may be gone. */
const proxiesPerGateway = 2;

export interface Plan {
  readonly containers: number;
  readonly clusters: number;
  /** Of each cluster. */
  readonly own: { readonly containers: number; readonly teams: number; readonly people: number };
  readonly nodes: number;
  readonly routesPerGateway: number;
  readonly gateways: number;
  readonly proxies: number;
  /** A route more at one of those gateways. */
  readonly routeSeconds: number;
  /** Of a proxy that has all tunnels of its gateway, as the other is gone. */
  readonly tunnels: number;
  readonly tunnelBytes: number;
  /** Of a proxy, without tunnels. */
  readonly heapBytes: number;
  readonly busyCores: number;
  /** Of istiod. */
  readonly pushBytes: number;
  readonly istiodCores: number;
  readonly istiodBytes: number;
  readonly objects: number;
  readonly storedBytes: number;
  /** All made at once. */
  readonly storageBytes: number;
  readonly apiServerBytes: number;
  /** All pods anew, as after a lost cluster. */
  readonly scheduleSeconds: number;
  /** Of one stack. */
  readonly previewSeconds: number;
  readonly upSeconds: number;
  readonly previewBytes: number;
  /** Side by side, to preview and bring up every stack within an hour. */
  readonly runners: number;
}

export function planFor(demand: Demand, figures: Figures): Plan {
  const containers = demand.teams * demand.containersPerTeam;
  // Each container has a Service, which is the first of Kubernetes' limits to be met.
  const clusters = Math.ceil(containers / kubernetesLimits.services);
  const own = {
    containers: Math.ceil(containers / clusters),
    teams: Math.ceil(demand.teams / clusters),
    people: Math.ceil(demand.people / clusters),
  };
  const within = (demand.routeSeconds - figures.routeSeconds.base) / figures.routeSeconds.each;
  const gateways = Math.ceil(own.containers / Math.floor(within));
  const routesPerGateway = Math.ceil(own.containers / gateways);
  const tunnels = Math.ceil((own.people * demand.tunnelsPerPerson) / gateways);
  const changesPerSecond = demand.changesPerHour / clusters / 3600;
  const preview = at(figures.previewSeconds, demand.containersPerTeam);
  const up = at(figures.upSeconds, demand.containersPerTeam);
  return {
    containers,
    clusters,
    own,
    nodes: Math.ceil(own.containers / kubernetesLimits.podsPerNode),
    routesPerGateway,
    gateways,
    proxies: gateways * proxiesPerGateway,
    routeSeconds: at(figures.routeSeconds, routesPerGateway),
    tunnels,
    tunnelBytes: tunnels * figures.tunnelBytes,
    heapBytes: at(figures.heapBytes, routesPerGateway),
    busyCores: tunnels * demand.busyShare * figures.busySeconds,
    pushBytes: routesPerGateway * figures.routeBytes * proxiesPerGateway,
    istiodCores: changesPerSecond * at(figures.istiodSeconds, routesPerGateway) * proxiesPerGateway,
    istiodBytes: own.containers * figures.istiodBytes,
    objects: own.containers * figures.storedObjects,
    storedBytes: own.containers * figures.storedBytes,
    storageBytes: own.containers * figures.storageBytes,
    apiServerBytes: own.containers * figures.apiServerBytes,
    scheduleSeconds: own.containers * figures.scheduleSeconds,
    previewSeconds: preview,
    upSeconds: up,
    previewBytes: at(figures.previewBytes, demand.containersPerTeam),
    runners: Math.ceil((demand.teams * (preview + up)) / 3600),
  };
}
