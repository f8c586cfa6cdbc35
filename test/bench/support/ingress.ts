/** The mesh's own web ingress, as Istio's gateway chart sets it up, with a site on it. */

import { apply, eventually, kubectl } from "../../../scripts/lib/lab/lab.ts";
import { ingressWorkload, loadBalancerAddress } from "../../support/lab/ingress-workload.ts";
import { curl } from "../../support/lab/web.ts";
import type { Removal } from "../cleanup.ts";
import { removeNamespaces } from "./stack.ts";

/** The defaults of Istio's gateway chart. */
const chartResources = {
  requests: { cpu: "100m", memory: "128Mi" },
  limits: { cpu: "2000m", memory: "1024Mi" },
};

/** Starts an ingress whose proxies answer for `site` themselves; returns its address. */
export async function startIngress(
  namespace: string,
  site: string,
  later: (removal: Removal) => void,
  resources = chartResources,
): Promise<string> {
  const selector = { istio: namespace };
  const objects = [
    { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } },
    ...ingressWorkload({
      name: "edge",
      namespace,
      selector,
      port: { name: "http", port: 80, targetPort: 8080 },
      resources,
    }),
    {
      apiVersion: "networking.istio.io/v1",
      kind: "Gateway",
      metadata: { name: "edge", namespace },
      spec: {
        selector,
        servers: [{ port: { number: 80, name: "http", protocol: "HTTP" }, hosts: [`*/${site}`] }],
      },
    },
    {
      apiVersion: "networking.istio.io/v1",
      kind: "VirtualService",
      metadata: { name: "site", namespace },
      spec: {
        hosts: [site],
        gateways: [`${namespace}/edge`],
        // The proxy answers: a server behind it would add delays of its own.
        http: [{ directResponse: { status: 200, body: { string: "hello\n" } } }],
      },
    },
  ];
  later(() => removeNamespaces([namespace]));
  await apply(...objects);
  await kubectl(["rollout", "status", "-n", namespace, "deployment/edge", "--timeout=120s"]);
  const address = await loadBalancerAddress(namespace, "edge");
  await eventually("the site", async () => {
    return (await curl(["-H", `Host: ${site}`, `http://${address}/`])).status === 200;
  });
  return address;
}
