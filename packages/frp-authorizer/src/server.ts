import { createServer, type IncomingMessage, type Server } from "node:http";
import { auditLine, isWorthALine } from "./audit.ts";
import { authorize, type Knowledge } from "./authorize.ts";
import { type Answer, operations, parseRequest } from "./protocol.ts";

const maximumBody = 64 * 1024;

/** How often each operation was allowed and refused, as Prometheus reads it. */
export class Decisions {
  readonly #counts = new Map<string, number>(
    operations.flatMap((operation) =>
      ["allowed", "refused"].map((outcome) => [`${operation} ${outcome}`, 0]),
    ),
  );

  count(operation: string, outcome: "allowed" | "refused"): void {
    const key = `${operation} ${outcome}`;
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
  }

  toString(): string {
    const lines = [...this.#counts].map(([key, count]) => {
      const [operation, outcome] = key.split(" ");
      return `drawbridge_frp_decisions_total{operation="${operation}",outcome="${outcome}"} ${count}`;
    });
    return ["# TYPE drawbridge_frp_decisions_total counter", ...lines, ""].join("\n");
  }
}

/** Answers frps. Whatever goes wrong ends in a status that frps takes for a refusal. */
export function authorizerServer(
  knowledge: Knowledge,
  decisions: Decisions,
  log: (line: string) => void,
  now: () => Date = () => new Date(),
): Server {
  return createServer(async (message, response) => {
    if (message.method !== "POST" || !message.url?.startsWith("/authorize?")) {
      response.writeHead(404).end();
      return;
    }
    try {
      const request = parseRequest(await readBody(message));
      const refusal = await authorize(request, knowledge);
      decisions.count(request.operation, refusal === undefined ? "allowed" : "refused");
      if (isWorthALine(request, refusal)) log(auditLine(request, refusal, now()));
      const answer: Answer =
        refusal === undefined ? { reject: false, unchange: true } : { reject: true, reject_reason: refusal };
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer));
    } catch (error) {
      decisions.count("unreadable", "refused");
      log(
        JSON.stringify({ time: now().toISOString(), outcome: "refused", reason: (error as Error).message }),
      );
      response.writeHead(400).end();
    }
  });
}

/** Health and figures, for the kubelet and Prometheus. */
export function metricsServer(decisions: Decisions): Server {
  return createServer((message, response) => {
    if (message.url === "/healthz") response.writeHead(200).end("ok\n");
    else if (message.url === "/metrics") {
      response.writeHead(200, { "content-type": "text/plain; version=0.0.4" }).end(decisions.toString());
    } else response.writeHead(404).end();
  });
}

async function readBody(message: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of message as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maximumBody) throw new Error(`the request is larger than ${maximumBody} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
