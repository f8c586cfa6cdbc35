import { configMap } from "../common/data.ts";
import type { Manifest } from "../common/manifest.ts";
import type { StorageProxyPlan } from "./plan.ts";
import { certificateConfig, routerText } from "./router-config.ts";

export function routerConfigMap(plan: StorageProxyPlan): Manifest<"ConfigMap"> {
  return configMap(plan.name, plan, {
    "envoy.json": routerText(plan),
    "certificate.json": plan.tls && JSON.stringify(certificateConfig(), null, 2),
  });
}
