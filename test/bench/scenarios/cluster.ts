/** What containers cost the cluster's own programs: the scheduler, the API server and its storage, istiod. */
import { fileURLToPath } from "node:url";
import type { Samples, Scenario } from "../../../scripts/lib/bench-report/scenario.ts";
import { run as runProgram } from "../../../scripts/lib/lab/lab.ts";
import { metricsOf } from "../../../scripts/lib/lab/metrics.ts";
import { withCleanup } from "../cleanup.ts";
import { nameOf, objectsOf, teamOf } from "../cluster/containers.ts";
import { startCrowdOfNodes } from "../cluster/nodes.ts";
import { storedIn } from "../cluster/stored.ts";
import { istiodMetrics } from "../reach/costs.ts";
import { KubeApi } from "../support/api.ts";
import { Recorder, wait } from "../support/samples.ts";
import { removeNamespaces } from "../support/stack.ts";
import { teamNamespace } from "../support/teams.ts";

const size = 1000;
const fullSize = 5000;
/** Until the API server's and istiod's own collections of garbage have passed. */
const settlingSeconds = 20;

interface Load {
  readonly apiServer: number;
  readonly apiServerCpu: number;
  readonly storage: number;
  readonly istiod: number;
  readonly istiodCpu: number;
}

async function load(api: KubeApi): Promise<Load> {
  const own = metricsOf(await api.get("/metrics"), "the API server");
  const istiod = await istiodMetrics(api);
  return {
    apiServer: own("process_resident_memory_bytes"),
    apiServerCpu: own("process_cpu_seconds_total"),
    storage: own("apiserver_storage_size_bytes"),
    istiod: istiod("process_resident_memory_bytes"),
    istiodCpu: istiod("process_cpu_seconds_total"),
  };
}

/** The objects that the component makes of one container, as text. */
async function oneContainer(): Promise<string> {
  const program = fileURLToPath(new URL("../preview/template.ts", import.meta.url));
  const { code, stdout, stderr } = await runProgram(process.execPath, [program]);
  if (code !== 0) throw new Error(stderr);
  return stdout;
}

async function run(progress: (line: string) => void, full: boolean): Promise<Samples> {
  return withCleanup(async (later) => {
    const api = await KubeApi.start(later);
    const count = full ? fullSize : size;
    const template = await oneContainer();
    const indices = Array.from({ length: count }, (_, index) => index);
    const teams = [...new Set(indices.map(teamOf))];
    await startCrowdOfNodes(api, count, later);
    later(() => removeNamespaces(teams));
    for (const name of teams) await api.send("POST", "/api/v1/namespaces", teamNamespace(name));
    progress(`nodes and namespaces for ${count} containers`);
    await wait(settlingSeconds);
    const [before, pods] = [await load(api), await placedPods(api)];
    const began = performance.now();
    await api.createAll(indices.flatMap((index) => objectsOf(template, index)));
    progress(`the objects of ${count} containers are made`);
    await untilPlaced(api, pods + count);
    const scheduled = (performance.now() - began) / 1000;
    await wait(settlingSeconds);
    const after = await load(api);
    const one = await storedIn(api, teamOf(0), nameOf(0));
    const recorder = new Recorder();
    const add = (figure: string, value: number) => recorder.add("drawbridge", figure, value);
    add(`scheduled_${count}`, scheduled);
    add("stored_objects", one.objects - one.events.objects);
    add("stored_bytes", one.bytes - one.events.bytes);
    add("event_bytes", one.events.bytes);
    add(`storage_bytes_${count}`, after.storage - before.storage);
    add(`apiserver_memory_${count}`, after.apiServer - before.apiServer);
    add(`apiserver_cpu_${count}`, after.apiServerCpu - before.apiServerCpu);
    add(`istiod_memory_${count}`, after.istiod - before.istiod);
    add(`istiod_cpu_${count}`, after.istiodCpu - before.istiodCpu);
    return recorder.samples;
  });
}

interface PodList {
  readonly items: readonly unknown[];
  readonly metadata: { readonly remainingItemCount?: number };
}

/** Pods of the whole cluster that have a node. Asked for so that the answers stay small while few are waiting. */
async function placedPods(api: KubeApi): Promise<number> {
  const list = async (query: string) => JSON.parse(await api.get(`/api/v1/pods?${query}`)) as PodList;
  const [some, waiting] = await Promise.all([list("limit=1"), list("fieldSelector=spec.nodeName%3D")]);
  return some.items.length + (some.metadata.remainingItemCount ?? 0) - waiting.items.length;
}

async function untilPlaced(api: KubeApi, pods: number): Promise<void> {
  const end = performance.now() + 1_800_000;
  for (let placed = 0; placed < pods; placed = await placedPods(api)) {
    if (performance.now() > end) throw new Error(`${placed} of ${pods} pods have a node`);
    await wait(1);
  }
}

export const cluster: Scenario = {
  name: "cluster",
  title: `the objects of ${size} containers in teams of 50 on simulated nodes: until each pod has a node; what they take in the API server, its storage and istiod`,
  run: (progress) => run(progress, false),
  runFull: (progress) => run(progress, true),
};
