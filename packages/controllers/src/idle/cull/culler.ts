/** The culler: looks at every container that may sleep, again and again, and puts to sleep what is idle. */
import { setTimeout } from "node:timers/promises";
import { ApiError } from "@drawbridge-iac/drawbridge/src/kubernetes/api";
import { type Kubernetes, keyOf, pages } from "../../api-server.ts";
import { Turns } from "../../fairness.ts";
import { type Log, type Metrics, Problems } from "../../telemetry.ts";
import { type Container, containersPath, podPath, readContainer, readIdentity, scale } from "../workload.ts";
import { Events } from "./events.ts";
import { type GpuSource, gpuQuiet } from "./prometheus.ts";
import { lastReport, type Report } from "./report.ts";
import { type Missing, type Signals, type Verdict, verdict } from "./verdict.ts";

interface CullerOptions {
  readonly api: Kubernetes;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly gpu: GpuSource | undefined;
  readonly periodSeconds: number;
  /** Whose containers are looked at. */
  readonly gateway: string;
}

/** Bytes of a log that are read: whatever else the container writes, its report is in the last minutes. */
const logLimit = 2 * 1024 * 1024;

export class Culler {
  readonly #options: CullerOptions;
  readonly #events: Events;
  readonly #problems: Problems;
  readonly #turns = new Turns();
  /** Namespaces whose containers a round is still looking at. */
  readonly #busy = new Set<string>();

  constructor(options: CullerOptions) {
    this.#options = options;
    this.#events = new Events(options.api);
    this.#problems = new Problems(options.log, options.metrics, "drawbridge_idle_problems_total");
  }

  /** Goes on until the signal. A round that fails has put nobody to sleep. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const begun = Date.now();
      await this.round().catch((error: Error) =>
        this.#options.log({ outcome: "problem", reason: `no round: ${error.message}` }),
      );
      const rest = this.#options.periodSeconds * 1000 - (Date.now() - begun);
      // Ends early, by an error, at the signal.
      await setTimeout(Math.max(0, rest), undefined, { signal }).catch(() => {});
    }
  }

  /** Ends when all have been looked at, or its time is over. The next round leaves out namespaces that are still busy. */
  async round(): Promise<void> {
    const all: Container[] = [];
    for await (const { items } of pages(this.#options.api, containersPath)) {
      all.push(...items.flatMap((item) => this.#read(item) ?? []));
    }
    const asleep = all.filter((container) => container.asleep).length;
    for (const [state, number] of Object.entries({ asleep, awake: all.length - asleep })) {
      this.#options.metrics.set("drawbridge_idle_containers", { state }, number);
    }
    const looks = [...Map.groupBy(all, ({ namespace }) => namespace)].flatMap(([namespace, containers]) =>
      this.#busy.has(namespace) ? [] : this.#lookAt(namespace, containers),
    );
    const over = new AbortController();
    const { signal } = over;
    const late = setTimeout(this.#options.periodSeconds * 1000, undefined, { signal }).catch(() => {});
    await Promise.race([Promise.all(looks), late]);
    over.abort();
  }

  /** What cannot be read stays awake. */
  #read(item: unknown): Container | undefined {
    const identity = this.#problems.attempt("a StatefulSet", () => readIdentity(item));
    if (identity === undefined) return undefined;
    return this.#problems.attempt(keyOf(identity), () => readContainer(item, this.#options.gateway));
  }

  async #lookAt(namespace: string, containers: readonly Container[]): Promise<void> {
    this.#busy.add(namespace);
    await Promise.all(containers.map((each) => this.#turns.run(namespace, () => this.#look(each))));
    this.#busy.delete(namespace);
  }

  async #look(container: Container): Promise<void> {
    try {
      await this.#judge(container);
      this.#problems.solved(keyOf(container));
    } catch (error) {
      this.#problems.tell(keyOf(container), error);
    }
  }

  async #judge(container: Container): Promise<void> {
    if (container.asleep) {
      if (container.settings.running) await this.#events.write(container, "Asleep", "idle");
      else await this.#events.write(container, "Off", "off");
      return;
    }
    const decided = verdict(container.settings, await this.#signals(container), new Date());
    if (decided.sleep) await this.#sleep(container, decided);
    else await this.#events.write(container, "Awake", kindOf(decided), textOf(decided));
  }

  async #signals(container: Container): Promise<Signals> {
    const { settings, changedAt } = container;
    const { gpu } = this.#options;
    const above = settings.gpuAbovePercent;
    const report = await this.#report(container);
    const window = "missing" in report ? settings.stopAfter : Math.min(settings.stopAfter, report.up);
    return {
      report,
      changed: changedAt === undefined ? undefined : Math.max(0, Math.round((Date.now() - changedAt) / 1000)),
      gpuQuiet:
        above === undefined
          ? undefined
          : gpu === undefined
            ? { missing: "no Prometheus is known for its GPUs" }
            : await gpuQuiet(gpu, container, { above, window }),
    };
  }

  async #report(container: Container): Promise<Report | Missing> {
    // Three reports' time: one may be on its way, and one may have been lost when the log was rotated.
    const since = Math.max(15, 3 * container.settings.reportEvery);
    const path = `${podPath(container)}/log?container=dev&sinceSeconds=${since}`;
    try {
      const report = lastReport(await this.#options.api.text(path, logLimit));
      return report ?? { missing: `its log holds no report of the last ${since} s` };
    } catch (error) {
      return { missing: `its log cannot be read: ${(error as Error).message}` };
    }
  }

  async #sleep(container: Container, decided: Verdict): Promise<void> {
    const { api, log, metrics } = this.#options;
    const text = textOf(decided);
    const entry = { container: keyOf(container), reasons: decided.reasons.map(({ reason }) => reason), text };
    if (container.settings.dryRun) {
      const isNew = await this.#events.write(container, "WouldSleep", kindOf(decided), text);
      if (isNew) log({ ...entry, outcome: "would sleep" });
      return;
    }
    try {
      await scale(api, container, 1, 0);
    } catch (error) {
      // Someone else put it to sleep, or another culler.
      if (error instanceof ApiError && (error.status === 409 || error.status === 422)) return;
      throw error;
    }
    log({ ...entry, outcome: "sleep" });
    metrics.count("drawbridge_idle_sleeps_total", {});
    await this.#events.write(container, "Asleep", "idle", text);
  }
}

const kindOf = ({ reasons }: Verdict) => reasons.map(({ reason }) => reason).join(",");

function textOf({ reasons, sleepsIn, sleep }: Verdict): string {
  const why = reasons.map(({ reason, text }) => `${reason}: ${text}`).join("; ");
  if (sleep) return why;
  return `${why}; ${sleepsIn === undefined ? "no end in sight" : `sleeps in ${sleepsIn} s if nothing more happens`}`;
}
