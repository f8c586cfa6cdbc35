import { createServer, type IncomingMessage, type Server } from "node:http";
import { stillOverLimit } from "../authorizer/buckets.ts";
import type { Metrics } from "../telemetry.ts";
import { authorize, type Knowledge, type Refusal } from "./authorize.ts";
import { type Answer, type AuthorizeRequest, operations, parseRequest } from "./frps-protocol.ts";

/** One line of the audit log: who asked for what, from where, and what became of it. Never a token. */
export function auditLine(request: AuthorizeRequest, refusal: Refusal, time: Date): string {
  return JSON.stringify({
    time: time.toISOString(),
    operation: request.operation,
    user: request.client.user,
    ...(request.address === "" ? {} : { address: request.address }),
    ...(request.proxy === undefined
      ? {}
      : { proxy: request.proxy.name, domains: request.proxy.customDomains }),
    outcome: refusal === undefined ? "allowed" : "refused",
    ...(refusal === undefined ? {} : { reason: refusal }),
  });
}

/** Pings that are allowed and floods that go on say nothing new; everything else is worth a line. */
export function isWorthALine(request: AuthorizeRequest, refusal: Refusal): boolean {
  return refusal === undefined ? request.operation !== "Ping" : refusal !== stillOverLimit;
}

const maximumBody = 64 * 1024;

const decisions = "drawbridge_frp_decisions_total";

/** Answers frps, and counts what it answered. Whatever goes wrong ends in a status that frps takes for a refusal. */
export function authorizerServer(
  knowledge: Knowledge,
  metrics: Metrics,
  log: (line: string) => void,
): Server {
  const count = (operation: string, outcome: "allowed" | "refused", by = 1) =>
    metrics.count(decisions, { operation, outcome }, by);
  // Each counter is there from the start, so that an alert sees its first change.
  for (const operation of operations)
    for (const outcome of ["allowed", "refused"] as const) count(operation, outcome, 0);
  return createServer(async (message, response) => {
    if (message.method !== "POST" || !message.url?.startsWith("/authorize?")) {
      response.writeHead(404).end();
      return;
    }
    try {
      const request = parseRequest(await readBody(message));
      const refusal = await authorize(request, knowledge);
      count(request.operation, refusal === undefined ? "allowed" : "refused");
      if (isWorthALine(request, refusal)) log(auditLine(request, refusal, new Date()));
      const answer: Answer =
        refusal === undefined ? { reject: false, unchange: true } : { reject: true, reject_reason: refusal };
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer));
    } catch (error) {
      count("unreadable", "refused");
      log(
        JSON.stringify({
          time: new Date().toISOString(),
          outcome: "refused",
          reason: (error as Error).message,
        }),
      );
      response.writeHead(400).end();
    }
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
