import type { Manifest } from "../common/manifest.ts";
import type { StorageProxyPlan } from "./plan.ts";
import { certificateConfig, routerText } from "./router-config.ts";

export function routerConfigMap(plan: StorageProxyPlan): Manifest<"ConfigMap"> {
  return {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: plan.name, namespace: plan.namespace, labels: plan.labels },
    data: {
      "envoy.json": routerText(plan),
      ...(plan.tls === undefined ? {} : { "certificate.json": JSON.stringify(certificateConfig(), null, 2) }),
    },
  };
}
