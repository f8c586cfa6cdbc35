import type { Manifest } from "../common/manifest.ts";
import { text } from "../common/placed.ts";
import { pages } from "./pages.ts";
import type { StorageProxyPlan } from "./plan.ts";

/** The page for every path that is no storage's. Istio sorts a route for everything behind all others. */
export function unknownStorageRoute(plan: StorageProxyPlan): Manifest<"VirtualService"> {
  return {
    apiVersion: "networking.istio.io/v1",
    kind: "VirtualService",
    metadata: { name: `${plan.name}-unknown`, namespace: plan.namespace, labels: plan.labels },
    spec: {
      // The schema saw to it that there is one.
      hosts: [plan.dnsName as string],
      gateways: [text`${plan.namespace}/${plan.name}`],
      exportTo: ["."],
      http: [
        {
          name: "unknown-storage",
          match: [{ uri: { prefix: "/" } }],
          directResponse: { status: 404, body: { string: pages.unknown } },
        },
      ],
    },
  };
}
