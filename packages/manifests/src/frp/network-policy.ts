import { namespaceNameLabel } from "../common/labels.ts";
import type { Manifest } from "../common/manifest.ts";
import { type FrpServerPlan, frpsPorts } from "./plan.ts";

/**
 * Containers reach the frpc port, everybody the CONNECT port (only the gateway where one ends TLS for it), the named
 * namespaces the metrics. The pod itself reaches the API server and nothing else: frpcs call, and it needs no names.
 */
export function frpNetworkPolicy(plan: FrpServerPlan): Manifest {
  const containers = [
    {
      namespaceSelector: {},
      podSelector: { matchLabels: { "app.kubernetes.io/component": "dev-container" } },
    },
  ];
  const monitoring = plan.metricsNamespaces.map((namespace) => ({
    namespaceSelector: { matchLabels: { [namespaceNameLabel]: namespace } },
  }));
  return {
    apiVersion: "networking.k8s.io/v1",
    kind: "NetworkPolicy",
    metadata: { name: plan.name, namespace: plan.namespace, labels: plan.labels },
    spec: {
      podSelector: { matchLabels: plan.selector },
      policyTypes: ["Ingress", "Egress"],
      ingress: [
        // The LoadBalancer's own source ranges narrow this further.
        { ...fromGateway(plan), ports: [tcp(frpsPorts.connect)] },
        plan.exposeServerPort
          ? { ports: [tcp(frpsPorts.server)] }
          : { from: containers, ports: [tcp(frpsPorts.server)] },
        ...(monitoring.length === 0
          ? []
          : [{ from: monitoring, ports: [tcp(frpsPorts.metrics), tcp(frpsPorts.authorizerMetrics)] }]),
      ],
      egress: plan.egress.apiServer.map(({ cidr, ports }) => ({
        to: [{ ipBlock: { cidr } }],
        ports: ports.map(tcp),
      })),
    },
  };
}

function fromGateway({ connectTls }: FrpServerPlan) {
  if (connectTls === undefined) return {};
  const { namespace, selector } = connectTls.gateway;
  const namespaceSelector = { matchLabels: { [namespaceNameLabel]: namespace } };
  return { from: [{ namespaceSelector, podSelector: { matchLabels: selector } }] };
}

const tcp = (port: number) => ({ port, protocol: "TCP" });
