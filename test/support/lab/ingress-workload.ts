/** An Istio gateway that is not drawbridge's: what carries the web into a cluster, beside ours or under ours. */
import { eventually, getObject } from "../../../scripts/lib/lab/lab.ts";

/** Its proxies and its Service, both of one name. */
interface IngressWorkload {
  readonly name: string;
  readonly namespace: string;
  /** Labels by which Istio's Gateway objects choose it. */
  readonly selector: Readonly<Record<string, string>>;
  readonly port: { readonly name: string; readonly port: number; readonly targetPort: number };
  /** What its proxies ask for and may use. Default: Istio's injection decides. */
  readonly resources?: object;
}

/** The objects, as Istio's gateway chart writes them: an empty container that the injection fills. */
export function ingressWorkload({ name, namespace, selector, port, resources }: IngressWorkload): object[] {
  const proxy = { name: "istio-proxy", image: "auto", imagePullPolicy: "IfNotPresent" };
  const template = {
    metadata: {
      labels: { ...selector, "sidecar.istio.io/inject": "true" },
      annotations: { "inject.istio.io/templates": "gateway" },
    },
    spec: { containers: [resources === undefined ? proxy : { ...proxy, resources }] },
  };
  return [
    {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { name, namespace },
      spec: { selector: { matchLabels: selector }, template },
    },
    {
      apiVersion: "v1",
      kind: "Service",
      metadata: { name, namespace },
      spec: { type: "LoadBalancer", selector, ports: [port] },
    },
  ];
}

/** The address of a Service of type LoadBalancer, once it has one. */
export function loadBalancerAddress(namespace: string, service: string): Promise<string> {
  return eventually(`the address of ${namespace}/${service}`, async () => {
    type Service = { status: { loadBalancer: { ingress?: { ip: string }[] } } };
    const { status } = await getObject<Service>(["-n", namespace, "service", service]);
    return status.loadBalancer.ingress?.[0]?.ip;
  });
}
