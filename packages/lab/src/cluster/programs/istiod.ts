import { join } from "node:path";
import type { KubeClient } from "../../kube/client.ts";
import { at, listAt } from "../../kube/object.ts";
import { clusterDomain } from "../addresses.ts";
import type { Plan } from "../plan.ts";
import type { Program } from "../supervisor/keeper.ts";
import { httpOk } from "../supervisor/probes.ts";

/** istiod as its chart runs it, but as a process of the machine. It reads mesh and injection from ConfigMaps. */
export function istiod({ tools, layout }: Plan, api: KubeClient): Program {
  const directory = join(layout.config, "istiod");
  return {
    name: "istiod",
    // Without the definitions it would take its webhooks for tried.
    after: ["istio definitions", "istio objects"],
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
      INJECTION_WEBHOOK_CONFIG_NAME: injector,
      VALIDATION_WEBHOOK_CONFIG_NAME: validator,
      // As the platform's page asks: a gateway gets the Services that its routes name, and no others.
      PILOT_FILTER_GATEWAY_CLUSTER_CONFIG: "true",
      // The lab's proxy is upstream Envoy, which lacks the extensions that these two would configure.
      PILOT_ENABLE_METADATA_EXCHANGE: "false",
      PILOT_ENABLE_ALPN_FILTER: "false",
    },
    folders: [directory],
    directory,
    ready: async () => (await answers()) && (await judges(api)),
  };
}

const answers = httpOk("http://127.0.0.1:15080/ready");

/**
 * Whether the API server asks it about every object, and refuses what it cannot ask about: some time after its start it
 * enters its certificate authority in the webhooks, tries whether a bad object is refused, and only then closes them.
 */
async function judges(api: KubeClient): Promise<boolean> {
  const apiVersion = "admissionregistration.k8s.io/v1";
  const configurations = await Promise.all(istioWebhooks.map((hook) => api.get({ apiVersion, ...hook })));
  return configurations
    .flatMap((configuration) => listAt(configuration, "webhooks"))
    .every((hook) => at(hook, "clientConfig", "caBundle") && at(hook, "failurePolicy") === "Fail");
}

const injector = "istio-sidecar-injector";
const validator = "istio-validator-istio-system";

/** The default validator judges every object; the other one those that carry the label of istiod's revision. */
const istioWebhooks = [
  { kind: "MutatingWebhookConfiguration", name: injector },
  { kind: "ValidatingWebhookConfiguration", name: "istiod-default-validator" },
  { kind: "ValidatingWebhookConfiguration", name: validator },
];
