/** What the programs tell those who run them: lines of a log, figures for Prometheus, and containers that are at fault. */
import { createServer, type Server } from "node:http";
import { remember } from "./fairness.ts";

/** Writes one line of the log. */
export type Log = (entry: Readonly<Record<string, unknown>>) => void;

export const log: Log = (entry) => console.log(JSON.stringify({ time: new Date().toISOString(), ...entry }));

type Labels = Readonly<Record<string, string>>;

/** Figures as Prometheus reads them. */
export class Metrics {
  readonly #values = new Map<string, number>();

  set(name: string, labels: Labels, value: number): void {
    this.#values.set(series(name, labels), value);
  }

  count(name: string, labels: Labels, by = 1): void {
    const key = series(name, labels);
    this.#values.set(key, (this.#values.get(key) ?? 0) + by);
  }

  toString(): string {
    const lines = [...this.#values].map(([key, value]) => `${key} ${value}\n`).sort();
    return lines.map((line, index) => `${typeLine(line, lines[index - 1] ?? "")}${line}`).join("");
  }
}

/** What stands before the first series of a name; nothing before the others. */
function typeLine(line: string, before: string): string {
  const [name, previous] = [line, before].map((one) => /^\w*/.exec(one)?.[0] ?? "");
  return name === previous ? "" : `# TYPE ${name} ${name?.endsWith("_total") ? "counter" : "gauge"}\n`;
}

function series(name: string, labels: Labels): string {
  const pairs = Object.entries(labels).map(([key, value]) => `${key}="${value}"`);
  return pairs.length === 0 ? name : `${name}{${pairs.join(",")}}`;
}

/** Health and figures, for the kubelet and Prometheus. */
export function metricsServer(metrics: Metrics, isReady = () => true): Server {
  return createServer((message, response) => {
    if (message.url === "/healthz") response.writeHead(200).end("ok\n");
    else if (message.url === "/readyz") response.writeHead(isReady() ? 200 : 503).end();
    else if (message.url === "/metrics") {
      response.writeHead(200, { "content-type": "text/plain; version=0.0.4" }).end(metrics.toString());
    } else response.writeHead(404).end();
  });
}

/** Logs a container's problem once until it is another one, and counts it each time. */
export class Problems {
  readonly #log: Log;
  readonly #metrics: Metrics;
  readonly #counter: string;
  readonly #told = new Map<string, string>();

  /** @param counter name of the figure */
  constructor(log: Log, metrics: Metrics, counter: string) {
    this.#log = log;
    this.#metrics = metrics;
    this.#counter = counter;
    metrics.count(counter, {}, 0);
  }

  tell(container: string, error: unknown): void {
    const reason = error instanceof Error ? error.message.slice(0, 1000) : "something that is no error";
    this.#metrics.count(this.#counter, {});
    if (this.#told.get(container) !== reason) this.#log({ container, outcome: "problem", reason });
    remember(this.#told, container, reason);
  }

  solved(container: string): void {
    this.#told.delete(container);
  }

  /** The result; undefined if `read` throws, which is told. */
  attempt<T>(container: string, read: () => T): T | undefined {
    try {
      return read();
    } catch (error) {
      this.tell(container, error);
      return undefined;
    }
  }
}
