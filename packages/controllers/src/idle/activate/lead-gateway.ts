/**
 * While a container sleeps, an EndpointSlice makes its Service lead to the activator, at a port of its own: headless Services
 * do not translate ports, but each slice names its number. So the gateway needs no other route or listener, and of filters
 * one retry (`otherAddress` in drawbridge/src/istio/connect-filter.ts).
 */
import { isIPv6 } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { sliceManager, sliceSuffix } from "@drawbridge-iac/drawbridge/src/host/idle/contract";
import { ApiError } from "@drawbridge-iac/drawbridge/src/kubernetes/api";
import { type Identity, type Kubernetes, keyOf, pages } from "../../api-server.ts";
import { list, maybe, objectName, record, whole } from "../../read.ts";
import type { Problems } from "../../telemetry.ts";
import type { Container } from "../workload.ts";

const managedByLabel = "endpointslice.kubernetes.io/managed-by";

const slicesPath = (namespace: string) => `/apis/discovery.k8s.io/v1/namespaces/${namespace}/endpointslices`;
const sliceName = (name: string) => `${name}${sliceSuffix}`;

const readSlice = record({
  metadata: record({ namespace: objectName, name: objectName }),
  ports: maybe(list(record({ port: maybe(whole(1, 65_535)) }), 100)),
});

/** The ports by which sleeping containers are known to the gateway already, by `namespace/name`. */
export async function portsInUse(api: Kubernetes, problems: Problems): Promise<Map<string, number>> {
  const selector = encodeURIComponent(`${managedByLabel}=${sliceManager}`);
  const path = `/apis/discovery.k8s.io/v1/endpointslices?labelSelector=${selector}`;
  const found = new Map<string, number>();
  for await (const { items } of pages(api, path)) {
    for (const item of items) {
      const slice = problems.attempt("an EndpointSlice", () => readSlice(item, ""));
      const port = slice?.ports?.[0]?.port;
      if (slice === undefined || port === undefined) continue;
      const { namespace, name } = slice.metadata;
      found.set(keyOf({ namespace, name: name.slice(0, -sliceSuffix.length) }), port);
    }
  }
  return found;
}

/** Where the activator answers for a container. */
interface Place {
  readonly address: string;
  readonly port: number;
}

async function pointAtActivator(
  api: Kubernetes,
  { namespace, name, uid }: Container,
  { address, port }: Place,
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
      // Removed with the container, by any hand.
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

async function pointAtContainer(api: Kubernetes, { namespace, name }: Identity): Promise<void> {
  try {
    await api.send("DELETE", `${slicesPath(namespace)}/${sliceName(name)}`);
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 404) throw error;
  }
}

type Wanted =
  | { readonly container: Container; readonly at: Place }
  | { readonly container: Identity; readonly at: undefined };

/** A refused write is tried again after ever longer pauses, up to this. */
const longestPauseMs = 30_000;

/** Keeps one container's slice as it is wanted, one write at a time, until the API server has taken it. */
export class ServiceSlice {
  readonly #api: Kubernetes;
  readonly #problems: Problems;
  readonly #leads: () => boolean;
  #wanted: Wanted | undefined;
  #pause = new AbortController();
  #settling: Promise<unknown> = Promise.resolve();

  /** @param leads whether this pod writes slices now; if not, `again` writes what is wanted once it does */
  constructor(api: Kubernetes, problems: Problems, leads: () => boolean) {
    this.#api = api;
    this.#problems = problems;
    this.#leads = leads;
  }

  /** Resolves with true when the slice is written, with false if it is not wanted any more. */
  toActivator(container: Container, at: Place): Promise<boolean> {
    return this.#want({ container, at });
  }

  toContainer(container: Identity): Promise<boolean> {
    return this.#want({ container, at: undefined });
  }

  /** Writes it once more, over what another has written. */
  async again(): Promise<void> {
    if (this.#wanted !== undefined) await this.#want(this.#wanted);
  }

  /** The container is gone, and its slice with it. */
  stop(): void {
    this.#wanted = undefined;
    this.#pause.abort();
  }

  #want(wanted: Wanted): Promise<boolean> {
    this.stop();
    this.#wanted = wanted;
    this.#pause = new AbortController();
    const settled = this.#settling.then(() => this.#settle(wanted));
    this.#settling = settled;
    return settled;
  }

  async #settle(wanted: Wanted): Promise<boolean> {
    for (
      let pause = 250;
      this.#wanted === wanted && this.#leads();
      pause = Math.min(longestPauseMs, 2 * pause)
    ) {
      try {
        if (wanted.at === undefined) await pointAtContainer(this.#api, wanted.container);
        else await pointAtActivator(this.#api, wanted.container, wanted.at);
        return this.#wanted === wanted;
      } catch (error) {
        this.#problems.tell(keyOf(wanted.container), error);
        await sleep(pause, undefined, { signal: this.#pause.signal }).catch(() => {});
      }
    }
    return false;
  }
}
