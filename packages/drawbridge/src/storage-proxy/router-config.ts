/**
 * The proxy's Envoy configuration. It holds no list of storages: the path names namespace and
 * storage, and these name the Service. So a storage that comes or goes changes nothing here, and no running
 * download can be disturbed by it.
 */

import { envoyHealth, envoySocket, envoyType } from "../istio/envoy.ts";
import { hashOf } from "../kit/crypto.ts";
import { type Input, whenSettled } from "../kit/input.ts";
import { configMap } from "../kubernetes/data.ts";
import type { Manifest } from "../kubernetes/manifest.ts";
import { healthPort } from "./args.ts";
import type { KnownStorageProxyPlan, StorageProxyPlan } from "./plan.ts";
import { routerManager, storagesCluster } from "./router-manager.ts";

export const configFolder = "/etc/drawbridge/proxy";
export const tlsFolder = "/etc/drawbridge/tls";

/** Which configuration a pod was started with. */
export const routerHash = (plan: StorageProxyPlan): Input<string> =>
  whenConfigured(plan, (known) => hashOf(routerConfig(known)));

const whenConfigured = (plan: StorageProxyPlan, make: (known: KnownStorageProxyPlan) => string) => {
  const { namespace, port, dnsName } = plan;
  return whenSettled({ namespace, port, dnsName }, (known) => make({ ...plan, ...known }));
};

/** Envoy reads JSON as well as YAML. */
export function routerConfigMap(plan: StorageProxyPlan): Manifest<"ConfigMap"> {
  return configMap(plan.name, plan, {
    "envoy.json": whenConfigured(plan, (known) => inLines(routerConfig(known))),
    "certificate.json": plan.tls && inLines(certificateConfig),
  });
}

const inLines = (config: object) => JSON.stringify(config, null, 2);

function routerConfig(plan: KnownStorageProxyPlan): Record<string, unknown> {
  return {
    // Without a name of its own Envoy reads no certificate from a file.
    node: { id: plan.name, cluster: plan.namespace },
    static_resources: {
      listeners: [
        {
          name: "storage",
          address: envoySocket("0.0.0.0", plan.port),
          filter_chains: [{ ...transport(plan), filters: [routerManager(plan)] }],
        },
        {
          name: "health",
          address: envoySocket("0.0.0.0", healthPort),
          filter_chains: [{ filters: [envoyHealth] }],
        },
      ],
      clusters: [storagesCluster],
    },
  };
}

function transport(plan: Pick<StorageProxyPlan, "tls">) {
  if (plan.tls === undefined) return {};
  return {
    transport_socket: {
      name: "tls",
      typed_config: {
        "@type": envoyType("extensions.transport_sockets.tls.v3.DownstreamTlsContext"),
        common_tls_context: {
          alpn_protocols: ["h2", "http/1.1"],
          tls_certificate_sds_secret_configs: [
            { name: "certificate", sds_config: { path_config_source: certificateSource } },
          ],
        },
      },
    },
  };
}

/** File with the names of certificate and key; Envoy reads all three again when the Secret changes. */
const certificateSource = {
  path: `${configFolder}/certificate.json`,
  watched_directory: { path: tlsFolder },
};

const certificateConfig = {
  resources: [
    {
      "@type": envoyType("extensions.transport_sockets.tls.v3.Secret"),
      name: "certificate",
      tls_certificate: {
        certificate_chain: { filename: `${tlsFolder}/tls.crt` },
        private_key: { filename: `${tlsFolder}/tls.key` },
        watched_directory: { path: tlsFolder },
      },
    },
  ],
};
