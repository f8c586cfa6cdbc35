/** Why no sshd answers behind a gateway, where the cluster tells it of an SshRoute or an InjectedSshd. */
import { type SshTarget, sshdLabel } from "@drawbridge-iac/manifests";
import { CliError } from "../cli-error.ts";
import { type Listener, listenersOf, type Service, servicePath } from "../host-key/listeners.ts";
import { type Kube, KubeError } from "../sshpod/kube.ts";
import { type Pod, podPath, selectorText } from "../sshpod/pod.ts";
import { type End, type NetworkPolicy, standingInTheWay } from "./network-policies.ts";

interface Labelled {
  readonly metadata: { readonly name: string; readonly labels?: Readonly<Record<string, string>> };
}

interface VirtualService extends Labelled {
  readonly spec: {
    readonly gateways?: readonly string[];
    readonly http?: readonly {
      readonly route?: readonly { readonly destination: { readonly host: string } }[];
    }[];
  };
}

type Host = Pick<SshTarget, "name" | "namespace" | "port">;

/** Where a host's route leads. */
interface Route {
  readonly isInjected: boolean;
  readonly service: string;
  /** `namespace/name`; undefined to whom may not read routes. */
  readonly gateway: string | undefined;
}

/** Something that this account may not see. */
class Untold extends Error {}

/** Undefined where there is no telling, and for a container, whose pod says it. */
export async function whyClosed(host: Host, loadKube: () => Promise<Kube>): Promise<string | undefined> {
  try {
    const kube = await loadKube().catch(untold);
    const get = <T>(path: string) => kube.get<T>(path).catch(untold);
    return await closed({ ...kube, get }, host);
  } catch (error) {
    if (error instanceof CliError) return error.message;
    if (error instanceof Untold || error instanceof KubeError) return undefined;
    throw error;
  }
}

/** What is not there is an answer. */
function untold(error: unknown): never {
  throw error instanceof KubeError && error.status === 404 ? error : new Untold();
}

const orUntold = <T>(asked: Promise<T>): Promise<T | undefined> => asked.catch(() => undefined);

async function list<T>(kube: Kube, path: string, labelSelector?: string): Promise<T[]> {
  const query = labelSelector === undefined ? "" : `?${new URLSearchParams({ labelSelector })}`;
  return (await kube.get<{ items: T[] }>(`${path}${query}`)).items;
}

async function closed(kube: Kube, host: Host): Promise<string | undefined> {
  const { name, namespace, port } = host;
  const route = await routeOf(kube, host);
  if (route === undefined) return undefined;
  const { service, isInjected } = route;
  const withSshd = isInjected ? await list<Pod>(kube, podPath(namespace), `${sshdLabel}=${name}`) : undefined;
  if (withSshd?.length === 0) {
    return `no pod has the label ${sshdLabel}=${name}: nothing took the template, or the pods that run were made before it changed, then delete them; if new ones lack it too, a controller puts a template of its own back`;
  }
  const cures = { names: "mend serviceName of the SshRoute", right: "ask for it" };
  const found = await orUntold(kube.get<Service>(servicePath(namespace, service)));
  const { selector = {}, type } = found?.spec ?? {};
  if (found !== undefined && type !== "ExternalName" && Object.keys(selector).length === 0) {
    return outside(kube, namespace, service, route.gateway);
  }
  const [listener] = await listenersOf(kube, { kind: "service", name: service, namespace, port }, cures);
  return listener && route.gateway && policyBetween(kube, route.gateway, listener);
}

/** A DevContainer's route and Service are of another part. */
async function routeOf(kube: Kube, { name, namespace }: Host): Promise<Route | undefined> {
  const part = "app.kubernetes.io/component";
  const selector = `app.kubernetes.io/instance=${name},${part} in (ssh-route,injected-sshd)`;
  const path = `/apis/networking.istio.io/v1/namespaces/${namespace}/virtualservices`;
  const [route] = (await orUntold(list<VirtualService>(kube, path, selector))) ?? [];
  if (route !== undefined) {
    const { http = [], gateways = [] } = route.spec;
    const [service = ""] = (http[0]?.route?.[0]?.destination.host ?? "").split(".");
    const isInjected = route.metadata.labels?.[part] === "injected-sshd";
    return { isInjected, service, gateway: gateways[0] };
  }
  // Whoever may not read routes may still read the Service that an InjectedSshd has.
  const [service] = await list<Labelled>(kube, servicePath(namespace), selector);
  return service && { isInjected: true, service: service.metadata.name, gateway: undefined };
}

interface Slice {
  readonly endpoints?: readonly {
    readonly addresses?: readonly string[];
    readonly conditions?: { readonly ready?: boolean };
  }[];
  readonly ports?: readonly { readonly port?: number }[];
}

/** Of a Service without a selector, whose addresses are no pods that could be asked. */
async function outside(
  kube: Kube,
  namespace: string,
  service: string,
  gateway: string | undefined,
): Promise<string | undefined> {
  const path = `/apis/discovery.k8s.io/v1/namespaces/${namespace}/endpointslices`;
  const slices = await list<Slice>(kube, path, `kubernetes.io/service-name=${service}`);
  const ready = slices.flatMap(({ endpoints = [], ports = [] }) =>
    endpoints
      .filter(({ conditions }) => conditions?.ready !== false)
      .map(({ addresses: [address] = [] }) => ({ address, port: ports[0]?.port })),
  );
  if (ready.length === 0) {
    return `Service ${service} has neither a selector nor an endpoint that is ready; give it a selector, or an EndpointSlice with the address of its sshd`;
  }
  const { address, port } = ready[0] ?? {};
  if (gateway === undefined || address === undefined || port === undefined) return undefined;
  const its = await gatewayEnd(kube, gateway);
  const policies = await policiesOf(kube, its.namespace);
  const around = standingInTheWay(policies, "Egress", its, { address }, port);
  if (around.length === 0) return undefined;
  return `the NetworkPolicy of the gateway ${gateway} (${around.join(", ")}) does not let it out to ${address} at port ${port}; the platform's team names it in egress.outsideHosts of the SshGateway`;
}

async function endOf(kube: Kube, namespace: string, labels: End["labels"]): Promise<End> {
  return { namespace, namespaceLabels: await labelsAt(kube, `/api/v1/namespaces/${namespace}`), labels };
}

async function gatewayEnd(kube: Kube, gateway: string): Promise<End> {
  const [namespace = "", name = ""] = gateway.split("/");
  return endOf(kube, namespace, await gatewayLabels(kube, namespace, name));
}

const labelsAt = async (kube: Kube, path: string): Promise<End["labels"]> =>
  (await orUntold(kube.get<Labelled>(path)))?.metadata.labels;

const policiesOf = async (kube: Kube, namespace: string): Promise<NetworkPolicy[]> => {
  const path = `/apis/networking.k8s.io/v1/namespaces/${namespace}/networkpolicies`;
  return (await orUntold(list<NetworkPolicy>(kube, path))) ?? [];
};

async function policyBetween(kube: Kube, gateway: string, listener: Listener): Promise<string | undefined> {
  const { namespace, pod, port } = listener;
  const own = await endOf(kube, namespace, await labelsAt(kube, podPath(namespace, pod)));
  const its = await gatewayEnd(kube, gateway);
  const before = standingInTheWay(await policiesOf(kube, namespace), "Ingress", own, its, port);
  if (before.length > 0) {
    return `the NetworkPolicies before pod ${pod} (${before.join(", ")}) do not let the gateway ${gateway} to its port ${port}; set networkPolicy: "allow-gateway"`;
  }
  const around = standingInTheWay(await policiesOf(kube, its.namespace), "Egress", its, own, port);
  if (around.length === 0) return undefined;
  return `the NetworkPolicy of the gateway ${gateway} (${around.join(", ")}) does not let it out to pod ${pod}; the platform's team sets egress.teamPods: true at the SshGateway, which is for namespaces with the label drawbridge.dev/team`;
}

/** Labels of its pods, of whom its Istio Gateway names some. */
async function gatewayLabels(kube: Kube, namespace: string, name: string): Promise<End["labels"]> {
  const path = `/apis/networking.istio.io/v1/namespaces/${namespace}/gateways/${name}`;
  const gateway = await orUntold(kube.get<{ spec: { selector?: Record<string, string> } }>(path));
  if (gateway === undefined) return undefined;
  const matchLabels = gateway.spec.selector ?? {};
  const pods = await orUntold(list<Labelled>(kube, podPath(namespace), selectorText({ matchLabels })));
  return pods?.[0]?.metadata.labels;
}
