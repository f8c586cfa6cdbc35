import { createServer, type IncomingMessage, type Server } from "node:http";
import { stillOverLimit } from "../authorizer/buckets.ts";
import { authorizerEvent } from "../authorizer/event.ts";
import type { Log, Metrics } from "../telemetry.ts";
import { authorize, type Knowledge, type Verdict } from "./authorize.ts";
import { type Answer, type AuthorizeRequest, operations, parseRequest } from "./frps-protocol.ts";

/** What is written of a request: who asked for what, from where, and what became of it. */
export function frpEvent({ operation, client, address, proxy }: AuthorizeRequest, verdict: Verdict) {
  // As whom it asks is only told while that is not proven.
  const claimed = verdict.identity === undefined ? [client.user] : [];
  const what = [operation, ...claimed, ...(proxy?.customDomains ?? [])].join(" ");
  return authorizerEvent({ ...verdict, address, way: "frp", what });
}

/** Pings that are allowed and floods that go on say nothing new; everything else is worth a line. */
export function isWorthALine({ operation }: AuthorizeRequest, { reason }: Verdict): boolean {
  return reason === undefined ? operation !== "Ping" : reason !== stillOverLimit;
}

const maximumBody = 64 * 1024;

const decisions = "drawbridge_frp_decisions_total";

/** Answers frps, and counts what it answered. Whatever goes wrong ends in a status that frps takes for a refusal. */
export function authorizerServer(knowledge: Knowledge, metrics: Metrics, log: Log): Server {
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
      const verdict = await authorize(request, knowledge);
      const { reason } = verdict;
      count(request.operation, reason === undefined ? "allowed" : "refused");
      if (isWorthALine(request, verdict)) log(frpEvent(request, verdict));
      const answer: Answer =
        reason === undefined ? { reject: false, unchange: true } : { reject: true, reject_reason: reason };
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer));
    } catch (error) {
      count("unreadable", "refused");
      const { message: reason } = error as Error;
      log(authorizerEvent({ address: "", way: "frp", what: "unreadable", reason }));
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
