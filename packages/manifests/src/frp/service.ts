import { type LoadBalancerParsed, layer4LoadBalancer, tcpPort } from "../common/load-balancer.ts";
import { type Manifest, metadataOf, skipAwait } from "../common/manifest.ts";
import { type FrpServerPlan, frpsPorts } from "./plan.ts";

/**
 * frps inside the cluster, for frpc. With a ClusterIP, not headless: frpc finds a new pod without waiting for
 * DNS caches to expire.
 */
export function frpsService(plan: FrpServerPlan): Manifest<"Service"> {
  return {
    apiVersion: "v1",
    kind: "Service",
    metadata: metadataOf(plan.names.service, plan, { ...skipAwait }),
    spec: {
      type: "ClusterIP",
      selector: plan.selector,
      ports: [
        tcpPort("frpc", plan.serverPort, frpsPorts.server),
        tcpPort("connect", plan.connectPort, frpsPorts.connect),
        tcpPort("metrics", frpsPorts.metrics),
        tcpPort("authorizer-metrics", frpsPorts.authorizerMetrics),
        // A chosen port may be the number of one of these, and a Service takes each number once.
      ].filter(({ port }, index, all) => all.findIndex((other) => other.port === port) === index),
    },
  };
}

/** The address for ssh clients, and for frpc where it is exposed, on layer 4. */
export function frpsLoadBalancer(plan: FrpServerPlan, loadBalancer: LoadBalancerParsed): Manifest<"Service"> {
  return layer4LoadBalancer({
    ...plan,
    loadBalancer,
    name: plan.names.connect,
    ports: [
      ...(plan.connectTls === undefined ? [tcpPort("connect", plan.connectPort, frpsPorts.connect)] : []),
      ...(plan.exposeServerPort ? [tcpPort("frpc", plan.serverPort, frpsPorts.server)] : []),
    ],
  });
}
