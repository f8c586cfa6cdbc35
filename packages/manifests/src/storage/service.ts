import { type Manifest, metadataOf, skipAwait } from "../common/manifest.ts";
import { accessorPort } from "../storage-proxy/accessors.ts";
import type { StoragePlan } from "./plan.ts";

/**
 * Where the proxy finds the storage. It has an address of its own, so that its name is known while no pod is
 * ready: the proxy then says "not ready" instead of "unknown".
 */
export function accessorService(plan: StoragePlan): Manifest<"Service"> {
  return {
    apiVersion: "v1",
    kind: "Service",
    // The provider would wait at least 10 s for an address with pods behind it.
    metadata: metadataOf(plan.names.accessor, plan, { ...skipAwait }),
    spec: {
      type: "ClusterIP",
      selector: plan.selector,
      ports: [
        { name: "http", port: accessorPort, targetPort: accessorPort, protocol: "TCP", appProtocol: "http" },
      ],
    },
  };
}
