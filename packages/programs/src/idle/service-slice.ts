/**
 * While a container sleeps, an EndpointSlice makes its Service lead to the activator, at a port of its own: headless Services
 * do not translate ports, but each slice names its number. So the gateway needs no other route, listener or filter.
 */
import { isIPv6 } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { ApiError, type Kubernetes, pages } from "../kubernetes.ts";
import type { Log } from "../log.ts";
import { sliceManager, sliceSuffix } from "../made/contract.ts";
import { type Container, keyOf } from "./workload.ts";

const managedByLabel = "endpointslice.kubernetes.io/managed-by";

const slicesPath = (namespace: string) => `/apis/discovery.k8s.io/v1/namespaces/${namespace}/endpointslices`;
const sliceName = (name: string) => `${name}${sliceSuffix}`;

/** Whose slice it is. */
type Named = Pick<Container, "namespace" | "name">;

interface Slice {
  readonly metadata: { readonly namespace: string; readonly name: string };
  readonly ports?: readonly { readonly port?: number }[];
}

/** The ports by which sleeping containers are known to the gateway already, by `namespace/name`. */
export async function portsInUse(api: Kubernetes): Promise<Map<string, number>> {
  const selector = encodeURIComponent(`${managedByLabel}=${sliceManager}`);
  const path = `/apis/discovery.k8s.io/v1/endpointslices?labelSelector=${selector}`;
  const found = new Map<string, number>();
  for await (const { items } of pages<Slice>(api, path)) {
    for (const { metadata, ports } of items) {
      const port = ports?.[0]?.port;
      if (port !== undefined)
        found.set(keyOf({ ...metadata, name: metadata.name.slice(0, -sliceSuffix.length) }), port);
    }
  }
  return found;
}

async function pointAtActivator(
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
        [managedByLabel]: sliceManager,
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

async function pointAtContainer(api: Kubernetes, { namespace, name }: Named): Promise<void> {
  try {
    await api.send("DELETE", `${slicesPath(namespace)}/${sliceName(name)}`);
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 404) throw error;
  }
}

type Wanted =
  | { readonly container: Container; readonly at: { readonly address: string; readonly port: number } }
  | { readonly container: Named; readonly at: undefined };

/** Keeps one container's slice as it is wanted, one write at a time, until the API server has taken it. */
export class ServiceSlice {
  readonly #api: Kubernetes;
  readonly #log: Log;
  #wanted: Wanted | undefined;
  #settling = Promise.resolve();

  constructor(api: Kubernetes, log: Log) {
    this.#api = api;
    this.#log = log;
  }

  /** Resolves when this, or what was wanted later, is so. */
  toActivator(container: Container, at: { readonly address: string; readonly port: number }): Promise<void> {
    return this.#want({ container, at });
  }

  toContainer(container: Named): Promise<void> {
    return this.#want({ container, at: undefined });
  }

  /** The container is gone, and its slice with it. */
  stop(): void {
    this.#wanted = undefined;
  }

  #want(wanted: Wanted): Promise<void> {
    this.#wanted = wanted;
    this.#settling = this.#settling.then(() => this.#settle(wanted));
    return this.#settling;
  }

  async #settle(wanted: Wanted): Promise<void> {
    for (let tries = 1; this.#wanted === wanted; tries += 1) {
      try {
        if (wanted.at === undefined) await pointAtContainer(this.#api, wanted.container);
        else await pointAtActivator(this.#api, wanted.container, wanted.at);
        return;
      } catch (error) {
        this.#log({
          container: keyOf(wanted.container),
          outcome: "problem",
          reason: (error as Error).message,
        });
        await sleep(Math.min(5000, 250 * tries));
      }
    }
  }
}
