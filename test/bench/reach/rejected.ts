/** The designs that the seed rejected: a port per container on one LoadBalancer, a LoadBalancer per container. */
import { eventually } from "../../../scripts/lib/lab/lab.ts";
import type { KubeApi, KubeObject } from "../support/api.ts";
import { sinkPort, sinkService } from "../support/sink.ts";
import type { TunnelDoor } from "../support/tunnels.ts";
import { team } from "./containers.ts";

/** A design that needs ports or LoadBalancers for each container. */
export interface RejectedDesign {
  readonly rival: string;
  /** How long its proxies keep sessions of an outdated listener; 0 without proxies. */
  readonly drainSeconds: number;
  /** Makes container number `index` reachable, and returns its door. */
  readonly add: (index: number) => Promise<TunnelDoor>;
  readonly remove: (index: number) => Promise<void>;
  /** Where its LoadBalancers are. */
  readonly namespace: string;
}

interface Service {
  readonly spec: { readonly type: string; readonly ports: readonly unknown[] };
  readonly status: { readonly loadBalancer: { readonly ingress?: readonly { readonly ip: string }[] } };
}

/** The ports of each LoadBalancer in a namespace. */
export async function loadBalancers(
  api: KubeApi,
  namespace: string,
): Promise<readonly (readonly unknown[])[]> {
  const { items } = JSON.parse(await api.get(`/api/v1/namespaces/${namespace}/services`)) as {
    items: Service[];
  };
  return items.filter(({ spec }) => spec.type === "LoadBalancer").map(({ spec }) => spec.ports);
}

async function addressOf(api: KubeApi, name: string): Promise<string> {
  return eventually(`the address of ${name}`, async () => {
    const service = JSON.parse(await api.get(`/api/v1/namespaces/${team}/services/${name}`)) as Service;
    return service.status.loadBalancer.ingress?.[0]?.ip;
  });
}

/** One LoadBalancer in front of an Istio gateway with one TCP listener per container. */
export function portPerContainer(api: KubeApi, gateway: string, address: string): RejectedDesign {
  const firstPort = 30_001;
  const present = new Set<number>();
  const listeners = { apiVersion: "networking.istio.io/v1", kind: "Gateway" };
  const meta = { name: "edge", namespace: gateway };
  const apply = async () => {
    const ports = [...present].map((index) => firstPort + index);
    await api.merge(
      { apiVersion: "v1", kind: "Service", metadata: meta },
      {
        spec: {
          ports: [
            { name: "http", port: 80, targetPort: 8080 },
            ...ports.map((port) => ({ name: `tcp-${port}`, port, targetPort: port })),
          ],
        },
      },
    );
    await api.merge(
      { ...listeners, metadata: meta },
      {
        spec: {
          servers: [
            { port: { number: 80, name: "http", protocol: "HTTP" }, hosts: ["*/web.example.com"] },
            ...ports.map((port) => ({
              port: { number: port, name: `tcp-${port}`, protocol: "TCP" },
              hosts: ["*"],
            })),
          ],
        },
      },
    );
  };
  const route = (index: number): KubeObject =>
    ({
      apiVersion: "networking.istio.io/v1",
      kind: "VirtualService",
      metadata: { name: `port-${index}`, namespace: gateway },
      spec: {
        hosts: ["*"],
        gateways: [`${gateway}/edge`],
        tcp: [
          {
            match: [{ port: firstPort + index }],
            route: [{ destination: { host: `c0.${team}.svc.cluster.local`, port: { number: sinkPort } } }],
          },
        ],
      },
    }) as KubeObject;
  return {
    rival: "port per container",
    namespace: gateway,
    // Istio's default, which the ingress has.
    drainSeconds: 45,
    async add(index) {
      present.add(index);
      await api.create(route(index));
      await apply();
      return { address, port: firstPort + index };
    },
    async remove(index) {
      present.delete(index);
      await apply();
      await api.remove(route(index));
    },
  };
}

/** No gateway at all: each container's Service is a LoadBalancer. */
export function balancerPerContainer(api: KubeApi): RejectedDesign {
  const service = (index: number) => sinkService(team, `lb-${index}`, { type: "LoadBalancer" });
  return {
    rival: "LoadBalancer per container",
    namespace: team,
    drainSeconds: 0,
    async add(index) {
      await api.create(service(index));
      return { address: await addressOf(api, `lb-${index}`), port: sinkPort };
    },
    async remove(index) {
      await api.remove(service(index));
    },
  };
}
