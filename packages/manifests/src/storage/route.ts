import { filesRoute } from "../istio/storage-route.ts";
import { accessorPort } from "../storage-proxy/accessors.ts";
import { pages } from "../storage-proxy/pages.ts";
import type { StorageProxyRefParsed } from "../storage-proxy/ref.ts";
import type { StoragePlan } from "./plan.ts";

/** The storage's own route at a proxy of mode `istio`. */
export function storageRoute(plan: StoragePlan, proxy: StorageProxyRefParsed) {
  const target = plan.accessor === undefined ? pages.notReady : accessorPort;
  return filesRoute({ ...plan, name: plan.names.accessor, target }, proxy);
}
