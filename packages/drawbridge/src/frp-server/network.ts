/** How the server is reached, and who may. */

import { frpsPorts } from "../host/ways/frp.ts";
import { same, whenAllKnown } from "../kit/input.ts";
import { partLabel } from "../kubernetes/labels.ts";
import { type LoadBalancerParsed, layer4LoadBalancer, tcpPort } from "../kubernetes/load-balancer.ts";
import { type Manifest, metadataOf, skipAwait } from "../kubernetes/manifest.ts";
import {
  everyPodOf,
  networkEgress,
  networkPolicy,
  podsIn,
  podsOf,
  podsWithSshd,
  tcp,
} from "../kubernetes/network-policy.ts";
import type { FrpServerPlan } from "./plan.ts";

/**
 * Pods with a frpc reach its port, everybody the CONNECT port (only the gateway where one ends TLS for it), the named
 * namespaces the metrics. The pod itself reaches the API server and nothing else: frpcs dial it, and it resolves no names.
 */
export function frpNetworkPolicy(plan: FrpServerPlan): Manifest<"NetworkPolicy"> {
  const { connectTls } = plan;
  const monitoring = podsIn(plan.metricsNamespaces);
  const fromGateway =
    connectTls === undefined
      ? {}
      : { from: [podsOf(connectTls.gateway.namespace, connectTls.gateway.selector)] };
  const fromFrpcs = plan.exposeServerPort
    ? {}
    : { from: [...podsWithSshd, everyPodOf(partLabel("ssh-route"))] };
  const metrics = { from: monitoring, ports: tcp(frpsPorts.metrics, frpsPorts.authorizerMetrics) };
  return networkPolicy(metadataOf(plan.name, plan), {
    pods: plan.selector,
    ingress: [
      // The LoadBalancer's own source ranges narrow this further.
      { ...fromGateway, ports: tcp(frpsPorts.connect) },
      { ...fromFrpcs, ports: tcp(frpsPorts.server) },
      ...(monitoring.length === 0 ? [] : [metrics]),
    ],
    egress: networkEgress(plan.egress.apiServer),
  });
}

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
      // A chosen port may be the number of one of these, and a Service takes each number once.
      ports: whenAllKnown([plan.serverPort, plan.connectPort], ([server = 0, connect = 0]) =>
        [
          tcpPort("frpc", server, frpsPorts.server),
          tcpPort("connect", connect, frpsPorts.connect),
          tcpPort("metrics", frpsPorts.metrics),
          tcpPort("authorizer-metrics", frpsPorts.authorizerMetrics),
        ].filter(({ port }, index, all) => all.findIndex((other) => same(other.port, port)) === index),
      ),
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
