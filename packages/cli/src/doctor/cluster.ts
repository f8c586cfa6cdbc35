/** Why no sshd of an SshRoute or an InjectedSshd answers behind its gateway, as the cluster's objects tell it. */
import type { SshTarget } from "@drawbridge-iac/drawbridge/src/host/client-texts/target";
import { sshdLabel } from "@drawbridge-iac/drawbridge/src/kubernetes/labels";
import { CliError } from "../faults.ts";
import { type Kube, KubeError } from "../sshpod/kube.ts";
import { type Pod, podPath, selectorText } from "../sshpod/pod.ts";
import { type Listener, listenerBehind, servicePath, serviceSpec } from "./listener.ts";
import { blockingPolicies, type End, type NetworkPolicy } from "./network-policies.ts";

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
  /** `namespace/name`; undefined if routes may not be read. */
  readonly gateway: string | undefined;
}

/** An object could not be read, for example because this account may not. */
class Unreadable extends Error {}

/** Undefined if the cluster does not tell it, and for a DevContainer, whose pod does (`list/container-state.ts`). */
export async function whyClosed(host: Host, loadKube: () => Promise<Kube>): Promise<string | undefined> {
  try {
    const kube = await loadKube().catch(orUnreadable);
    const get = <T>(path: string) => kube.get<T>(path).catch(orUnreadable);
    return await reasonClosed({ ...kube, get }, host);
  } catch (error) {
    if (error instanceof Unreadable || error instanceof KubeError) return undefined;
    if (error instanceof CliError) return error.message;
    throw error;
  }
}

/** Keeps "not found", which is an answer; all other errors become one. */
function orUnreadable(error: unknown): never {
  throw error instanceof KubeError && error.status === 404 ? error : new Unreadable();
}

const orUndefined = <T>(asked: Promise<T>): Promise<T | undefined> => asked.catch(() => undefined);

async function list<T>(kube: Kube, path: string, labelSelector?: string): Promise<T[]> {
  const query = labelSelector === undefined ? "" : `?${new URLSearchParams({ labelSelector })}`;
  return (await kube.get<{ items: T[] }>(`${path}${query}`)).items;
}

async function reasonClosed(kube: Kube, host: Host): Promise<string | undefined> {
  const { name, namespace, port } = host;
  const route = await routeOf(kube, host);
  if (route === undefined) return undefined;
  const { service, isInjected } = route;
  const withSshd = isInjected ? await list<Pod>(kube, podPath(namespace), `${sshdLabel}=${name}`) : undefined;
  if (withSshd?.length === 0) {
    return `no pod has the label ${sshdLabel}=${name}: nothing took the template, or the pods that run were made before it changed, then delete them; if new ones lack it too, a controller puts a template of its own back`;
  }
  const asked = { service, namespace, port, isInjected };
  const spec = await serviceSpec(kube, asked);
  if (spec.type !== "ExternalName" && Object.keys(spec.selector ?? {}).length === 0) {
    return reasonOutside(kube, namespace, service, route.gateway);
  }
  const listener = await listenerBehind(kube, spec, asked);
  return route.gateway && policyBetween(kube, route.gateway, listener);
}

/** Undefined for a DevContainer, whose route and Service have another `component` label. */
async function routeOf(kube: Kube, { name, namespace }: Host): Promise<Route | undefined> {
  const component = "app.kubernetes.io/component";
  const selector = `app.kubernetes.io/instance=${name},${component} in (ssh-route,injected-sshd)`;
  const path = `/apis/networking.istio.io/v1/namespaces/${namespace}/virtualservices`;
  const [route] = (await orUndefined(list<VirtualService>(kube, path, selector))) ?? [];
  if (route !== undefined) {
    const { http = [], gateways = [] } = route.spec;
    const [service = ""] = (http[0]?.route?.[0]?.destination.host ?? "").split(".");
    const isInjected = route.metadata.labels?.[component] === "injected-sshd";
    return { isInjected, service, gateway: gateways[0] };
  }
  // A user who may not read routes may still read the Service that an InjectedSshd has.
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

/** For a Service without a selector: its slices hold addresses, and no pod can be asked. */
async function reasonOutside(
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
    return `Service ${service} has neither a selector nor an endpoint that is ready; set a selector, or an EndpointSlice with the address of its sshd`;
  }
  const { address, port } = ready[0] ?? {};
  if (gateway === undefined || address === undefined || port === undefined) return undefined;
  const proxy = await gatewayEnd(kube, gateway);
  const policies = await policiesOf(kube, proxy.namespace);
  const blocking = blockingPolicies(policies, "Egress", proxy, { address }, port);
  if (blocking.length === 0) return undefined;
  return `the NetworkPolicy of the gateway ${gateway} (${blocking.join(", ")}) does not let it out to ${address} at port ${port}; the platform's team names it in egress.outsideHosts of the SshGateway`;
}

async function endOf(kube: Kube, namespace: string, labels: End["labels"]): Promise<End> {
  return { namespace, namespaceLabels: await labelsAt(kube, `/api/v1/namespaces/${namespace}`), labels };
}

async function gatewayEnd(kube: Kube, gateway: string): Promise<End> {
  const [namespace = "", name = ""] = gateway.split("/");
  return endOf(kube, namespace, await gatewayLabels(kube, namespace, name));
}

const labelsAt = async (kube: Kube, path: string): Promise<End["labels"]> =>
  (await orUndefined(kube.get<Labelled>(path)))?.metadata.labels;

const policiesOf = async (kube: Kube, namespace: string): Promise<NetworkPolicy[]> => {
  const path = `/apis/networking.k8s.io/v1/namespaces/${namespace}/networkpolicies`;
  return (await orUndefined(list<NetworkPolicy>(kube, path))) ?? [];
};

async function policyBetween(kube: Kube, gateway: string, listener: Listener): Promise<string | undefined> {
  const { namespace, pod, port } = listener;
  const host = await endOf(kube, namespace, await labelsAt(kube, podPath(namespace, pod)));
  const proxy = await gatewayEnd(kube, gateway);
  const inward = blockingPolicies(await policiesOf(kube, namespace), "Ingress", host, proxy, port);
  if (inward.length > 0) {
    return `the NetworkPolicies before pod ${pod} (${inward.join(", ")}) do not let the gateway ${gateway} to its port ${port}; set networkPolicy: "allow-gateway"`;
  }
  const outward = blockingPolicies(await policiesOf(kube, proxy.namespace), "Egress", proxy, host, port);
  if (outward.length === 0) return undefined;
  return `the NetworkPolicy of the gateway ${gateway} (${outward.join(", ")}) does not let it out to pod ${pod}; the platform's team sets egress.teamPods: true at the SshGateway, which is for namespaces with the label drawbridge.dev/team`;
}

/** All labels of one of the gateway's pods, which the Gateway object's selector finds. */
async function gatewayLabels(kube: Kube, namespace: string, name: string): Promise<End["labels"]> {
  const path = `/apis/networking.istio.io/v1/namespaces/${namespace}/gateways/${name}`;
  const gateway = await orUndefined(kube.get<{ spec: { selector?: Record<string, string> } }>(path));
  if (gateway === undefined) return undefined;
  const matchLabels = gateway.spec.selector ?? {};
  const pods = await orUndefined(list<Labelled>(kube, podPath(namespace), selectorText({ matchLabels })));
  return pods?.[0]?.metadata.labels;
}
