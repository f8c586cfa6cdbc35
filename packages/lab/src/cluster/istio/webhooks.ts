import type { KubeClient } from "../../kube/client.ts";
import { at, listAt } from "../../kube/object.ts";

/** The default validator judges every object; the other one those that carry the label of istiod's revision. */
const webhooks = [
  { kind: "MutatingWebhookConfiguration", name: "istio-sidecar-injector" },
  { kind: "ValidatingWebhookConfiguration", name: "istiod-default-validator" },
  { kind: "ValidatingWebhookConfiguration", name: "istio-validator-istio-system" },
];

/**
 * Whether the API server asks istiod about every object, and refuses what it cannot ask about: some time after its start
 * it enters its certificate authority in the webhooks, tries whether a bad object is refused, and only then closes them.
 */
export async function istiodJudges(api: KubeClient): Promise<boolean> {
  const apiVersion = "admissionregistration.k8s.io/v1";
  const configurations = await Promise.all(webhooks.map((hook) => api.get({ apiVersion, ...hook })));
  return configurations
    .flatMap((configuration) => listAt(configuration, "webhooks"))
    .every((hook) => at(hook, "clientConfig", "caBundle") && at(hook, "failurePolicy") === "Fail");
}
