import type { GatewaySpec } from "../common/custom-kinds.ts";
import type { Manifest } from "../common/manifest.ts";
import { text } from "../common/placed.ts";
import type { Listener, SshGatewayPlan } from "./plan.ts";

/**
 * The listeners. They accept names of the domain and of cluster-internal Services from every namespace, so
 * that a new team or container changes no listener: a listener change would cut every open session.
 */
export function istioGateway(plan: SshGatewayPlan): Manifest<"Gateway"> {
  return {
    apiVersion: "networking.istio.io/v1",
    kind: "Gateway",
    metadata: { name: plan.name, namespace: plan.namespace, labels: plan.labels },
    spec: { selector: plan.selector, servers: plan.listeners.map((listener) => server(plan, listener)) },
  };
}

function server(plan: SshGatewayPlan, listener: Listener): GatewaySpec["servers"][number] {
  const hosts = [text`*/*.${plan.domain}`, "*/*.svc.cluster.local"];
  if (listener.name === "plain" || plan.tls === undefined) {
    return { port: { number: listener.port, name: "http-plain", protocol: "HTTP" }, hosts };
  }
  return {
    port: { number: listener.port, name: "https-tls", protocol: "HTTPS" },
    hosts,
    tls: {
      mode: plan.tls.clientCa === undefined ? "SIMPLE" : "MUTUAL",
      credentialName: plan.tls.secretName,
      minProtocolVersion: "TLSV1_2",
    },
  };
}
