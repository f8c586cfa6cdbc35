import { createServer, type Server } from "node:http";

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
