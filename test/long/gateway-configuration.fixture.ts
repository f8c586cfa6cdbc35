/** What istiod has told a gateway's proxies of routes and of the endpoints behind them. */
import type { Place } from "../support/attacks/attack.ts";
import { type ProxyConfig, partsOf, proxyConfigs, valuesOf } from "../support/lab/proxy-config.ts";

/** Envoy's whole configuration in each of the gateway's pods. */
export function configDumps({ gateway }: Place): Promise<ProxyConfig[]> {
  return proxyConfigs(gateway.namespace, `app.kubernetes.io/instance=${gateway.name}`);
}

/** Clusters that a route names. */
export function routedClusters(dump: ProxyConfig): string[] {
  const names = ["RoutesConfigDump", "ListenersConfigDump"].flatMap((type) =>
    valuesOf("cluster", partsOf(dump, type)),
  );
  return [...new Set(names.filter((name) => typeof name === "string"))].sort();
}

/** `address:port` of every endpoint of a cluster. */
export function endpointsIn(dump: ProxyConfig, cluster: string): string[] {
  const loads = valuesOf("endpoint_config", partsOf(dump, "EndpointsConfigDump")) as {
    cluster_name: string;
    endpoints?: unknown;
  }[];
  const own = loads.filter(({ cluster_name }) => cluster_name === cluster);
  const addresses = valuesOf("address", own) as {
    socket_address?: { address: string; port_value: number };
  }[];
  return addresses.flatMap(({ socket_address: socket }) =>
    socket === undefined ? [] : [`${socket.address}:${socket.port_value}`],
  );
}
