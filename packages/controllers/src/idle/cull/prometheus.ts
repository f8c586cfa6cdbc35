/** GPU use, asked of a Prometheus that has the metrics of NVIDIA's DCGM exporter. */
import type { Identity } from "../../api-server.ts";
import { list, maybe, type Read, record, text, Unreadable } from "../../read.ts";
import type { Missing } from "./verdict.ts";

/** What is asked for a container's pod; `POD` and `NAMESPACE` stand for its own. */
export const defaultQuery =
  'max(DCGM_FI_DEV_GPU_UTIL{exported_namespace="NAMESPACE",exported_pod="POD"} or DCGM_FI_DEV_GPU_UTIL{namespace="NAMESPACE",pod="POD"})';

export interface GpuSource {
  readonly url: string;
  readonly query: string;
}

type Value = readonly [time: number, use: number];

/** A figure; undefined for NaN and the like, which is a gap then. */
const value: Read<Value | undefined> = (given, at) => {
  const [time, use] = list((each) => each, 2)(given, at);
  const number = Number(text("a figure", (figure) => figure.trim() !== "", 40)(use, at));
  if (!Number.isFinite(time)) throw new Unreadable(`${at} has no time`);
  return number === Number.POSITIVE_INFINITY || Number.isFinite(number)
    ? [time as number, number]
    : undefined;
};
const answer = record({
  data: maybe(record({ result: maybe(list(record({ values: maybe(list(value, 11_000)) }), 1000)) })),
});

/**
 * Seconds since the use was last above the threshold, at most `window`. A gap may hide work, so with one nothing is known.
 */
export async function gpuQuiet(
  { url, query }: GpuSource,
  { namespace, name }: Identity,
  { above, window }: { readonly above: number; readonly window: number },
  now = Date.now() / 1000,
): Promise<number | Missing> {
  // Some 200 figures for the window, and no two within an exporter's usual interval.
  const step = Math.max(15, Math.ceil(window / 200));
  const asked = new URLSearchParams({
    query: query.replaceAll("NAMESPACE", namespace).replaceAll("POD", `${name}-0`),
    start: String(now - window),
    end: String(now),
    step: String(step),
  });
  let values: readonly Value[];
  try {
    const response = await fetch(`${url}/api/v1/query_range?${asked}`, {
      signal: AbortSignal.timeout(10_000),
    });
    if (!response.ok) return { missing: `Prometheus answers ${response.status}` };
    const { data } = answer(await response.json(), "the answer");
    values = (data?.result?.[0]?.values ?? []).filter((each) => each !== undefined);
  } catch (error) {
    if (error instanceof Unreadable)
      return { missing: `Prometheus answers what nobody can read: ${error.message}` };
    return { missing: `Prometheus does not answer: ${(error as Error).message}` };
  }
  return judge(values, { above, window, step }, now);
}

export function judge(
  values: readonly Value[],
  { above, window, step }: { readonly above: number; readonly window: number; readonly step: number },
  now: number,
): number | Missing {
  const busy = values.filter(([, use]) => use > above).map(([time]) => time);
  if (busy.length > 0) return Math.max(0, now - Math.max(...busy));
  const times = [now - window, ...values.map(([time]) => time), now];
  const gap = Math.max(...times.slice(1).map((time, index) => time - (times[index] ?? 0)));
  // Single figures may be missing.
  if (gap > 4 * step)
    return { missing: `Prometheus has no GPU figures of this pod for ${Math.round(gap)} s` };
  return window;
}
