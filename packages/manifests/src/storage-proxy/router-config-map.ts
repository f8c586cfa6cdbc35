import type { Manifest } from "../common/manifest.ts";
import type { StorageProxyPlan } from "./plan.ts";
import { certificateConfig, routerConfig } from "./router-config.ts";

/** Envoy reads JSON as well as YAML. */
export function routerConfigMap(plan: StorageProxyPlan): Manifest<"ConfigMap"> {
  return {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: plan.name, namespace: plan.namespace, labels: plan.labels },
    data: {
      "envoy.json": JSON.stringify(routerConfig(plan), null, 2),
      ...(plan.tls === undefined ? {} : { "certificate.json": JSON.stringify(certificateConfig(), null, 2) }),
    },
  };
}
