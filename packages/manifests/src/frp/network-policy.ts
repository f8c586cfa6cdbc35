import { partLabel } from "../common/labels.ts";
import { type Manifest, metadataOf } from "../common/manifest.ts";
import {
  everyPodOf,
  networkEgress,
  networkPolicy,
  podsIn,
  podsOf,
  podsWithSshd,
  tcp,
} from "../common/network-policy.ts";
import { type FrpServerPlan, frpsPorts } from "./plan.ts";

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
