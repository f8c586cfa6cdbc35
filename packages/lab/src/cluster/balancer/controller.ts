import type { V1Service } from "@kubernetes/client-node";
import { fieldManager, type KubeClient } from "../../kube/client.ts";
import { named } from "../../kube/object.ts";
import { Mirror, worker } from "../../kube/watch.ts";
import { addresses } from "../addresses.ts";
import { type Assignment, assign, type BalancedService } from "./assign.ts";

/**
 * Does for Services of type LoadBalancer what a cloud does: gives them an address and writes it into their status.
 * kube-proxy takes packets to that address to the pods, for every network that is routed to the node.
 */
export function balanceServices(api: KubeClient): void {
  const refused = new Map<string, string>();
  const { wake } = worker("load balancer", async () => {
    if (!services.listed) return;
    const items = new Map(services.items.map((service) => [keyOf(service), service]));
    for (const assignment of assign([...items.values()].map(balanced), addresses.loadBalancers)) {
      const service = items.get(assignment.key);
      if (service !== undefined) await settle(api, service, assignment, refused);
    }
  });
  const services = new Mirror<V1Service>(api, { apiVersion: "v1", kind: "Service" }, wake);
}

function keyOf({ metadata }: V1Service): string {
  return `${metadata?.namespace}/${metadata?.name}`;
}

function currentOf(service: V1Service): string | undefined {
  return service.status?.loadBalancer?.ingress?.[0]?.ip;
}

function balanced(service: V1Service): BalancedService {
  const { type, loadBalancerClass, loadBalancerIP } = service.spec ?? {};
  const current = currentOf(service);
  return {
    key: keyOf(service),
    wanted: type === "LoadBalancer" && loadBalancerClass === undefined,
    ...(loadBalancerIP ? { requested: loadBalancerIP } : {}),
    ...(current === undefined ? {} : { current }),
  };
}

async function settle(
  api: KubeClient,
  service: V1Service,
  assignment: Assignment,
  refused: Map<string, string>,
): Promise<void> {
  const address = "address" in assignment ? assignment.address : undefined;
  if (address !== currentOf(service) && !belongsToOther(service)) {
    const ingress = address === undefined ? null : [{ ip: address, ipMode: "VIP" }];
    const ref = { apiVersion: "v1", kind: "Service", ...named(service.metadata) };
    await api.patch(ref, { status: { loadBalancer: { ingress } } }, "/status");
  }
  // One event for each reason, not one for each pass.
  const reason = "refused" in assignment ? assignment.refused : undefined;
  if (reason === undefined) refused.delete(assignment.key);
  else if (refused.get(assignment.key) !== reason) {
    await warn(api, service, reason);
    refused.set(assignment.key, reason);
  }
}

function belongsToOther({ spec }: V1Service): boolean {
  return spec?.type === "LoadBalancer" && spec.loadBalancerClass !== undefined;
}

/** Tells the Service's owner why it gets no address; `kubectl describe` shows it. */
async function warn(api: KubeClient, { metadata }: V1Service, message: string): Promise<void> {
  const about = named(metadata);
  const now = new Date().toISOString();
  const event = {
    apiVersion: "v1",
    kind: "Event",
    metadata: { name: `${about.name}.${Date.now()}`, namespace: about.namespace },
    involvedObject: { apiVersion: "v1", kind: "Service", ...about, uid: metadata?.uid ?? "" },
    type: "Warning",
    reason: "AddressRefused",
    message,
    firstTimestamp: now,
    lastTimestamp: now,
    count: 1,
    source: { component: fieldManager },
  };
  await api.create(event);
}
