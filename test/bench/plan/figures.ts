/** What the plan reckons with: figures of the bench, by their names in its document. */
import type { BenchDocument } from "../report/json.ts";
import { figuresOf } from "../report/json.ts";

/** A figure that grows evenly: what it is for none, and what each one more adds. */
export interface Line {
  readonly base: number;
  readonly each: number;
}

export interface Figures {
  /** Seconds until a route more is used, by the gateway's routes. */
  readonly routeSeconds: Line;
  /** Seconds of istiod's processor time for a change, by the gateway's routes; with one proxy. */
  readonly istiodSeconds: Line;
  /** Bytes that a change sends to each proxy, for each of the gateway's routes. */
  readonly routeBytes: number;
  /** Bytes of a proxy's heap without tunnels, by the gateway's routes. */
  readonly heapBytes: Line;
  /** Bytes of a proxy's heap for a tunnel. */
  readonly tunnelBytes: number;
  /** Processor time of a proxy in a second for a busy tunnel. */
  readonly busySeconds: number;
  /** API objects and their stored bytes for a container, its pod and what controllers make of both. */
  readonly storedObjects: number;
  readonly storedBytes: number;
  /** What the storage grew by for one, what it keeps of earlier states included, right after it was made. */
  readonly storageBytes: number;
  /** Bytes of memory for a container. */
  readonly apiServerBytes: number;
  readonly istiodBytes: number;
  /** Seconds that the scheduler takes for a pod, its objects' creation included. */
  readonly scheduleSeconds: number;
  /** By a stack's containers: seconds of a preview and of an update, and the memory of a preview. */
  readonly previewSeconds: Line;
  readonly upSeconds: Line;
  readonly previewBytes: Line;
}

export const lineThrough = (
  [x1, y1]: readonly [number, number],
  [x2, y2]: readonly [number, number],
): Line => {
  const each = (y2 - y1) / (x2 - x1);
  return { base: y1 - each * x1, each };
};

export const at = ({ base, each }: Line, count: number) => base + each * count;

export function figuresFor(document: BenchDocument): Figures {
  const own = (scenario: string, figure: string): number => {
    const value = figuresOf(document, scenario)?.drawbridge?.[figure];
    if (value === undefined) throw new Error(`the bench has no figure ${figure} of ${scenario}`);
    return value;
  };
  const line = (scenario: string, figure: (count: number) => string, few: number, many: number) =>
    lineThrough([few, own(scenario, figure(few))], [many, own(scenario, figure(many))]);
  const counted = 1000;
  return {
    routeSeconds: line("reach", (count) => `accepted_${count}`, 1000, 5000),
    istiodSeconds: line("reach", (count) => `istiod_cpu_${count}`, 1000, 5000),
    routeBytes: own("reach", "bytes_5000") / 5000,
    heapBytes: line("reach", (count) => `gateway_heap_${count}`, 1000, 5000),
    tunnelBytes: own("weight", "heap_per_tunnel_5000"),
    busySeconds: own("crowd", "processor_per_busy_tunnel_1100"),
    storedObjects: own("cluster", "stored_objects"),
    storedBytes: own("cluster", "stored_bytes"),
    storageBytes: own("cluster", `storage_bytes_${counted}`) / counted,
    apiServerBytes: own("cluster", `apiserver_memory_${counted}`) / counted,
    istiodBytes: own("cluster", `istiod_memory_${counted}`) / counted,
    scheduleSeconds: own("cluster", `scheduled_${counted}`) / counted,
    previewSeconds: line("preview", (count) => `preview_${count}_wall`, 10, 100),
    upSeconds: line("preview", (count) => `up_${count}_wall`, 1, 100),
    previewBytes: line("preview", (count) => `preview_${count}_memory`, 10, 100),
  };
}
