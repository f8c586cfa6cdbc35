import type { Manifest } from "../common/manifest.ts";
import { type Placed, text } from "../common/placed.ts";
import { accessorPort } from "../storage-proxy/accessors.ts";
import { pages } from "../storage-proxy/pages.ts";
import type { StorageProxyRefParsed } from "../storage-proxy/ref.ts";
import type { StoragePlan } from "./plan.ts";

/** The storage's own route on an Istio gateway: route-level only, so it disturbs nobody's download. */
export function storageRoute(plan: StoragePlan, proxy: StorageProxyRefParsed): Manifest<"VirtualService"> {
  const host = text`${plan.names.accessor}.${plan.namespace}.svc.cluster.local`;
  const target =
    plan.accessor === undefined
      ? { directResponse: { status: 503, body: { string: pages.notReady } } }
      : { route: [{ destination: { host, port: { number: accessorPort } } }] };
  return {
    apiVersion: "networking.istio.io/v1",
    kind: "VirtualService",
    metadata: { name: plan.names.accessor, namespace: plan.namespace, labels: plan.labels },
    spec: {
      // The schema saw to it that there is one.
      hosts: [proxy.dnsName as Placed<string>],
      gateways: [text`${proxy.namespace}/${proxy.name}`],
      exportTo: [proxy.namespace],
      http: [
        {
          name: "storage",
          match: [{ uri: { exact: plan.path } }, { uri: { prefix: text`${plan.path}/` } }],
          ...target,
        },
      ],
    },
  };
}
