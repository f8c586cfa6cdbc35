/** What a change costs the control plane. */
import { gatewayStats } from "../../../scripts/lib/lab/lab.ts";
import { metricsOf } from "../../../scripts/lib/lab/metrics.ts";
import type { KubeApi } from "../support/api.ts";
import { wait } from "../support/samples.ts";

/** Running totals. */
export interface Costs {
  /** Bytes of configuration that the gateway's proxies have received. */
  readonly bytes: number;
  /** Seconds of processor time of istiod. */
  readonly cpu: number;
  /** Seconds for which istiod waited for further changes, and those in which it wrote configurations of all proxies. */
  readonly waited: number;
  readonly wrote: number;
  /** Bytes that istiod has in memory now, and that the gateway's proxies have on their heap. */
  readonly memory: { readonly istiod: number; readonly gateway: number };
}

const received = "cluster_upstream_cx_rx_bytes_total";
const allocated = "server_memory_allocated";
const istiod = "/api/v1/namespaces/istio-system/services/istiod";

export async function costs(api: KubeApi, gateway: string): Promise<Costs> {
  // The proxies count bytes of their connection to istiod alone; other clusters' counters are left out by Istio.
  const stats = await gatewayStats(gateway, `app.kubernetes.io/instance=${gateway}`, [received, allocated]);
  const own = await istiodMetrics(api);
  return {
    bytes: stats[received] ?? 0,
    cpu: own("process_cpu_seconds_total"),
    waited: own("pilot_debounce_time_sum"),
    wrote: own("pilot_pushcontext_init_seconds_sum") + own("pilot_xds_push_time_sum"),
    memory: { istiod: own("process_resident_memory_bytes"), gateway: stats[allocated] ?? 0 },
  };
}

/** Reads istiod's metrics now. */
export async function istiodMetrics(api: KubeApi): Promise<(name: string) => number> {
  const { spec } = JSON.parse(await api.get(istiod)) as { spec: { clusterIP: string } };
  return metricsOf(await (await fetch(`http://${spec.clusterIP}:15014/metrics`)).text(), "istiod");
}

/** Waits until nothing has been pushed for two seconds; returns the totals then. */
export async function quietCosts(api: KubeApi, gateway: string, seconds = 120): Promise<Costs> {
  const end = performance.now() + seconds * 1000;
  for (let before = await costs(api, gateway); performance.now() < end; ) {
    await wait(2);
    const now = await costs(api, gateway);
    // istiod's own life costs a little at all times.
    if (now.bytes === before.bytes && now.cpu - before.cpu < 0.2) return now;
    before = now;
  }
  throw new Error(`istiod still pushed to ${gateway} after ${seconds} s`);
}
