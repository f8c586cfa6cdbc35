import { at, type KubeObject, listAt, refOf, stringAt } from "../kubernetes/object.ts";
import { observe, observeAll } from "./observe.ts";
import type { Wait } from "./wait.ts";

/**
 * How long the endpoints of a Service must stay the same before it counts as ready. The official provider waits this
 * long for each Service with a selector and an address of its own, and so does this one.
 */
export const SETTLE_MS = 10_000;

/** Waits until a Service has its address and its endpoints have settled. */
export async function waitForService(wait: Wait, settleMs: number = SETTLE_MS): Promise<KubeObject> {
  const { live } = wait;
  const selector = at(live, "spec", "selector");
  const isHeadless = stringAt(live, "spec", "clusterIP") === "None";
  const isExternalName = stringAt(live, "spec", "type") === "ExternalName";
  const hasPods = typeof selector === "object" && selector !== null && Object.keys(selector).length > 0;
  if (hasPods && !isHeadless && !isExternalName) await waitForEndpoints(wait, settleMs);
  return waitForAddress(wait);
}

async function waitForAddress({ client, live, signal, report }: Wait): Promise<KubeObject> {
  for await (const service of observe(client, refOf(live), signal)) {
    if (service === undefined) throw new Error("the object was deleted");
    const needsAddress = stringAt(service, "spec", "type") === "LoadBalancer";
    if (!needsAddress || listAt(service, "status", "loadBalancer", "ingress").length > 0) return service;
    report(
      "an address of the load balancer; does this cluster give addresses to Services of type LoadBalancer?",
    );
  }
  throw signal.reason;
}

/** Settled: no change for a while, and no endpoint that is not ready yet. No endpoint at all is fine too. */
async function waitForEndpoints({ client, live, signal, report }: Wait, settleMs: number): Promise<void> {
  const settled = new AbortController();
  const either = AbortSignal.any([signal, settled.signal]);
  const selection = {
    apiVersion: "discovery.k8s.io/v1",
    kind: "EndpointSlice",
    namespace: live.metadata.namespace,
    labelSelector: `kubernetes.io/service-name=${live.metadata.name}`,
  };
  let timer: NodeJS.Timeout | undefined;
  try {
    for await (const slices of observeAll(client, selection, either)) {
      clearTimeout(timer);
      const endpoints = slices.flatMap((slice) => listAt(slice, "endpoints"));
      const pending = endpoints.filter((endpoint) => at(endpoint, "conditions", "ready") === false);
      if (pending.length > 0) report(`${pending.length} of ${endpoints.length} endpoints to become ready`);
      else {
        report(`its ${endpoints.length} endpoints to settle`);
        timer = setTimeout(() => settled.abort(), settleMs);
      }
    }
  } catch (error) {
    if (!settled.signal.aborted || signal.aborted) throw error;
  } finally {
    clearTimeout(timer);
  }
}
