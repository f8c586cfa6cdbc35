/**
 * While a container sleeps, an EndpointSlice makes its Service lead to the activator, at a port of its own: headless Services
 * do not translate ports, but each slice names its number. So the gateway needs no other route, listener or filter.
 */
import { isIPv6 } from "node:net";
import { ApiError, type Kubernetes } from "./kubernetes.ts";
import type { Container } from "./workload.ts";

export const managedBy = "drawbridge-activator";
const managedByLabel = "endpointslice.kubernetes.io/managed-by";

const slicesPath = (namespace: string) => `/apis/discovery.k8s.io/v1/namespaces/${namespace}/endpointslices`;
const sliceName = (name: string) => `${name}-asleep`;

interface Slice {
  readonly metadata: { readonly namespace: string; readonly name: string };
  readonly ports?: readonly { readonly port?: number }[];
}

/** The ports by which sleeping containers are known to the gateway already, by `namespace/name`. */
export async function portsInUse(api: Kubernetes): Promise<Map<string, number>> {
  const selector = encodeURIComponent(`${managedByLabel}=${managedBy}`);
  const { items } = await api.get<{ items: Slice[] }>(
    `/apis/discovery.k8s.io/v1/endpointslices?labelSelector=${selector}`,
  );
  return new Map(
    items.flatMap(({ metadata, ports }) => {
      const port = ports?.[0]?.port;
      const key = `${metadata.namespace}/${metadata.name.replace(/-asleep$/, "")}`;
      return port === undefined ? [] : [[key, port] as const];
    }),
  );
}

export async function pointAtActivator(
  api: Kubernetes,
  { namespace, name, uid }: Container,
  { address, port }: { readonly address: string; readonly port: number },
): Promise<void> {
  const slice = {
    apiVersion: "discovery.k8s.io/v1",
    kind: "EndpointSlice",
    metadata: {
      name: sliceName(name),
      namespace,
      labels: {
        "kubernetes.io/service-name": name,
        [managedByLabel]: managedBy,
        "app.kubernetes.io/component": "dev-container",
      },
      // Removed with the container, whoever removes that.
      ownerReferences: [{ apiVersion: "apps/v1", kind: "StatefulSet", name, uid }],
    },
    addressType: isIPv6(address) ? "IPv6" : "IPv4",
    endpoints: [{ addresses: [address], conditions: { ready: true } }],
    ports: [{ name: "tcp-ssh", port, protocol: "TCP" }],
  };
  try {
    await api.send("POST", slicesPath(namespace), slice);
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 409) throw error;
    await api.send("PUT", `${slicesPath(namespace)}/${slice.metadata.name}`, slice);
  }
}

export async function pointAtContainer(api: Kubernetes, { namespace, name }: Container): Promise<void> {
  try {
    await api.send("DELETE", `${slicesPath(namespace)}/${sliceName(name)}`);
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 404) throw error;
  }
}
