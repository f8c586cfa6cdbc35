import { setTimeout as sleep } from "node:timers/promises";
import type { KubeClient } from "../../kube/client.ts";
import { at, type KubeObject, listAt, refOf, stringAt } from "../../kube/object.ts";
import { observe, observeAll } from "../../kube/watch.ts";
import { isAnnotated, SKIP_AWAIT } from "../kinds/annotations.ts";
import type { Provider } from "../provider.ts";
import { podTroubles, READY, VERDICTS, type Verdict, waiting } from "./verdict.ts";

export interface WaitRequest {
  readonly urn: string;
  /** The object as the API server answered. */
  readonly live: KubeObject;
  /** Milliseconds. */
  readonly timeout: number;
}

/** The wait did not end well. */
export class NotReadyError extends Error {
  /** What else there is to say. */
  readonly details: readonly string[];

  constructor(message: string, details: readonly string[]) {
    super(message);
    this.details = details;
  }
}

/**
 * How long the endpoints of a Service must stay the same before it counts as ready. The official provider waits this
 * long for each Service with a selector and an address of its own, and so does this one.
 */
const SETTLE_MS = 10_000;
/** The official provider never waits longer for a claim, whatever the timeouts say. */
const BOUND_CAP_MS = 5 * 60_000;

/** Waits until an object is ready, as its kind has it, and returns it as it is then. */
export async function ready(
  provider: Provider,
  client: KubeClient,
  request: WaitRequest & { /** Whether it was created just now. */ readonly isNew: boolean },
): Promise<KubeObject> {
  const { live, urn } = request;
  if (isAnnotated(live, SKIP_AWAIT)) return live;
  const { name } = live.metadata;
  const type = `${live.apiVersion}/${live.kind}`;
  const isClaim = type === "v1/PersistentVolumeClaim";
  const verdictOf = isClaim ? await claim(client, live, request.isNew) : VERDICTS[type];
  const isService = type === "v1/Service";
  if (verdictOf === undefined && !isService) return live;
  const last = { status: "", missing: [] as readonly string[] };
  const say = (verdict: Verdict) => {
    if (verdict.is !== "waiting") return;
    if (verdict.status !== last.status) provider.engine.status(urn, verdict.status);
    Object.assign(last, verdict);
  };
  const signal = AbortSignal.any([
    AbortSignal.timeout(Math.min(request.timeout, isClaim ? BOUND_CAP_MS : request.timeout)),
    provider.cancelled,
  ]);
  try {
    if (isService) await endpoints(client, live, signal, say);
    return await until(client, live, signal, say, isService ? address : verdictOf!);
  } catch (error) {
    if (!signal.aborted && !(error instanceof NotReadyError)) throw error;
    const pods = signal.aborted && !provider.cancelled.aborted ? await podsOf(client, live) : [];
    const details = [...(error instanceof NotReadyError ? error.details : last.missing), ...pods];
    if (provider.cancelled.aborted)
      throw new NotReadyError(`Resource operation was cancelled for "${name}"`, details);
    if (error instanceof NotReadyError) throw new NotReadyError(error.message, details);
    throw new NotReadyError(
      isClaim ? "timed out waiting for the condition" : `'${name}' timed out waiting to be Ready`,
      details,
    );
  }
}

/** Looks at an object after each change until it is ready; a failure that cannot mend itself ends the wait at once. */
async function until(
  client: KubeClient,
  live: KubeObject,
  signal: AbortSignal,
  say: (verdict: Verdict) => void,
  verdictOf: (object: KubeObject) => Verdict,
): Promise<KubeObject> {
  for await (const object of observe(client, refOf(live), signal)) {
    if (object === undefined) continue;
    const verdict = verdictOf(object);
    if (verdict.is === "ready") return object;
    if (verdict.is === "failed") {
      const { name } = live.metadata;
      throw new NotReadyError(`Resource '${name}' was created but failed to initialize`, verdict.missing);
    }
    say(verdict);
  }
  throw signal.reason;
}

/** A Service of type LoadBalancer needs an address. */
function address(service: KubeObject): Verdict {
  const isBalanced = stringAt(service, "spec", "type") === "LoadBalancer";
  if (!isBalanced || listAt(service, "status", "loadBalancer", "ingress").length > 0) return READY;
  return waiting(
    "[2/3] Attempting to allocate IP address to Service",
    "Service was not allocated an IP address; does your cloud provider support this?",
  );
}

/** Settled: no change for a while, and no endpoint that is not ready yet. No endpoint at all is fine too. */
async function endpoints(
  client: KubeClient,
  live: KubeObject,
  signal: AbortSignal,
  say: (verdict: Verdict) => void,
): Promise<void> {
  const selector = Object.keys((at(live, "spec", "selector") as object | undefined) ?? {});
  const isHeadless = stringAt(live, "spec", "clusterIP") === "None";
  if (selector.length === 0 || isHeadless || stringAt(live, "spec", "type") === "ExternalName") return;
  const selection = {
    apiVersion: "discovery.k8s.io/v1",
    kind: "EndpointSlice",
    namespace: live.metadata.namespace,
    labelSelector: `kubernetes.io/service-name=${live.metadata.name}`,
  };
  const settled = new AbortController();
  let change = 0;
  try {
    for await (const slices of observeAll(client, selection, AbortSignal.any([signal, settled.signal]))) {
      const found = slices.flatMap((slice) => listAt(slice, "endpoints"));
      const isReady = (endpoint: unknown) => at(endpoint as KubeObject, "conditions", "ready") !== false;
      change += 1;
      const seen = change;
      const none =
        "Service does not target any Pods. Selected Pods may not be ready, or field '.spec.selector' may not match labels on any Pods";
      say(waiting("[1/3] Finding Pods to direct traffic to", ...(found.some(isReady) ? [] : [none])));
      if (!found.every(isReady)) continue;
      void sleep(SETTLE_MS, undefined, { ref: false }).then(() => seen === change && settled.abort());
    }
  } catch (error) {
    if (!settled.signal.aborted || signal.aborted) throw error;
  }
}

/**
 * A claim is to be bound; pending is enough where its class binds at first use. A user who may not read storage classes
 * waits for "bound", and a new claim of such a class that is bound already is waited for, as with the official provider.
 */
async function claim(
  client: KubeClient,
  live: KubeObject,
  isNew: boolean,
): Promise<(object: KubeObject) => Verdict> {
  const name = stringAt(live, "spec", "storageClassName");
  const ref = { apiVersion: "storage.k8s.io/v1", kind: "StorageClass", name: name ?? "" };
  const storageClass = name ? await client.get(ref).catch(() => undefined) : undefined;
  const atFirstUse = storageClass?.volumeBindingMode === "WaitForFirstConsumer";
  return (object) => {
    const phase = stringAt(object, "status", "phase") ?? "Pending";
    const isBound = phase === "Bound" && !(isNew && atFirstUse);
    return isBound || (phase === "Pending" && atFirstUse) ? READY : waiting(`the claim is ${phase}`);
  };
}

/** What the pods of a workload say; nothing where the user may not look. */
async function podsOf(client: KubeClient, { kind, metadata, spec }: KubeObject): Promise<string[]> {
  const labels = at(spec, "selector", "matchLabels");
  if (kind === "Pod" || typeof labels !== "object" || labels === null) return [];
  const labelSelector = Object.entries(labels)
    .map(([name, value]) => `${name}=${value}`)
    .join(",");
  const selection = { apiVersion: "v1", kind: "Pod", namespace: metadata.namespace, labelSelector };
  const { items } = await client.list(selection).catch(() => ({ items: [] }));
  return items.flatMap(podTroubles);
}

/** Waits until an object is gone; a new one of the same name is another object. */
export async function gone(provider: Provider, client: KubeClient, request: WaitRequest): Promise<void> {
  const { urn, live, timeout } = request;
  const signal = AbortSignal.any([AbortSignal.timeout(timeout), provider.cancelled]);
  let holders: string[] = [];
  try {
    for await (const object of observe(client, refOf(live), signal)) {
      if (object === undefined || object.metadata.uid !== live.metadata.uid) return;
      holders = listAt(object, "metadata", "finalizers").map(String);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
    provider.engine.warn(urn, `finalizers might be preventing deletion (${holders.join(", ")})`);
    throw new Error(provider.cancelled.aborted ? "context canceled" : "timed out waiting for the condition");
  }
}
