import { join } from "node:path";
import { clusterDomain } from "../addresses.ts";
import type { ApiClient } from "../api/client.ts";
import type { Plan } from "../plan.ts";
import { httpOk } from "../supervisor/probes.ts";
import type { Program } from "../supervisor/program.ts";

/** istiod as its chart runs it, but as a process of the machine. It reads mesh and injection from ConfigMaps. */
export function istiod({ tools, layout }: Plan, api: ApiClient): Program {
  const directory = join(layout.config, "istiod");
  return {
    name: "istiod",
    after: ["istio objects"],
    command: tools["pilot-discovery"],
    args: [
      "discovery",
      `--kubeconfig=${join(layout.kubeconfigs, "istiod")}`,
      "--httpAddr=:15080",
      "--monitoringAddr=:15014",
      `--domain=${clusterDomain}`,
      "--keepaliveMaxServerConnectionAge=30m",
    ],
    env: {
      POD_NAME: "istiod-lab",
      POD_NAMESPACE: "istio-system",
      SERVICE_ACCOUNT: "istiod",
      REVISION: "default",
      CLUSTER_ID: "Kubernetes",
      PILOT_CERT_PROVIDER: "istiod",
      JWT_POLICY: "third-party-jwt",
      INJECTION_WEBHOOK_CONFIG_NAME: "istio-sidecar-injector",
      VALIDATION_WEBHOOK_CONFIG_NAME: "istio-validator-istio-system",
      // The lab's proxy is upstream Envoy, which lacks the extensions that these two would configure.
      PILOT_ENABLE_METADATA_EXCHANGE: "false",
      PILOT_ENABLE_ALPN_FILTER: "false",
    },
    folders: [directory],
    directory,
    ready: async () => (await answers()) && (await injects(api)),
  };
}

const answers = httpOk("http://127.0.0.1:15080/ready");

/** Whether the API server can call it: it enters its certificate authority in the webhooks some time after its start. */
async function injects(api: ApiClient): Promise<boolean> {
  const base = "/apis/admissionregistration.k8s.io/v1";
  const configurations = await Promise.all(
    [
      "mutatingwebhookconfigurations/istio-sidecar-injector",
      "validatingwebhookconfigurations/istiod-default-validator",
    ].map((path) => api.get<WebhookConfiguration>(`${base}/${path}`)),
  );
  return configurations.every(({ webhooks }) => webhooks.every(({ clientConfig }) => clientConfig.caBundle));
}

interface WebhookConfiguration {
  webhooks: { clientConfig: { caBundle?: string } }[];
}
