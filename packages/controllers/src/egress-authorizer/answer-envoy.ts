/** Answers Envoy, and counts and logs what it kept. */

import { decision as kept, refusalHeader } from "@drawbridge-iac/drawbridge/src/host/egress/contract";
import { type handleBidiStreamingCall, Server } from "@grpc/grpc-js";
import { authorizerEvent } from "../authorizer/event.ts";
import type { Log, Metrics } from "../telemetry.ts";
import { type Decision, decide, type Knowledge, type Refused } from "./decide.ts";
import { externalProcessor, type ProcessingRequest, type ProcessingResponse } from "./envoy-protocol.ts";
import type { Leases } from "./leases.ts";
import type { ProxyRequest } from "./target.ts";

const decisions = "drawbridge_egress_decisions_total";

function readRequest({ requestHeaders, attributes }: ProcessingRequest): ProxyRequest {
  const headers: Record<string, string> = {};
  for (const { key = "", rawValue } of requestHeaders?.headers?.headers ?? []) {
    const value = rawValue?.toString("latin1") ?? "";
    // One that comes twice is not read as one of the two.
    headers[key] = key in headers ? `${headers[key]},${value}` : value;
  }
  const [source] = Object.values(attributes ?? {}).map(({ fields }) => fields["source.address"]?.stringValue);
  return {
    method: headers[":method"] ?? "",
    scheme: headers[":scheme"] ?? "",
    authority: headers[":authority"] ?? "",
    authorization: headers["proxy-authorization"] ?? "",
    source: /^\[?(.*?)\]?:\d+$/.exec(source ?? "")?.[1] ?? "",
  };
}

function refusal({ status, reason }: Refused): ProcessingResponse {
  const headers = {
    "content-type": "text/plain; charset=utf-8",
    [refusalHeader]: reason.replaceAll(/[^\x20-\x7e]/g, "?"),
    ...(status === 407 ? { "proxy-authenticate": 'Basic realm="drawbridge egress"' } : {}),
  };
  const setHeaders = Object.entries(headers).map(([key, value]) => ({
    header: { key, rawValue: Buffer.from(value) },
  }));
  const body = Buffer.from(`drawbridge: ${reason}\n`);
  return { immediateResponse: { status: { code: status }, headers: { setHeaders }, body } };
}

const allowed = (destination: string): ProcessingResponse => ({
  // Without a change of headers Envoy would keep the route of what is undecided.
  requestHeaders: { response: { headerMutation: { removeHeaders: ["proxy-authorization"] } } },
  dynamicMetadata: {
    fields: {
      [kept.namespace]: {
        structValue: { fields: { [kept.destination]: { stringValue: destination } } },
      },
    },
  },
});

/** What was asked for is shown to its own log alone. */
const eventOf = ({ method, authority, source }: ProxyRequest, decision: Decision) =>
  authorizerEvent({ ...decision, address: source, way: "egress", what: `${method} ${authority}` });

const ended: ProcessingResponse = { immediateResponse: { status: { code: 403 } } };

/** A stream that ends without an answer is, to Envoy, a request that nobody has decided. */
export function egressServer(knowledge: Knowledge, leases: Leases, metrics: Metrics, log: Log): Server {
  const count = (outcome: "allowed" | "refused", by = 1) => metrics.count(decisions, { outcome }, by);
  for (const outcome of ["allowed", "refused"] as const) count(outcome, 0);

  const process: handleBidiStreamingCall<ProcessingRequest, ProcessingResponse> = (stream) => {
    let isOver = false;
    let close: (() => void) | undefined;
    const over = () => {
      isOver = true;
      close?.();
      close = undefined;
    };
    const sayLast = (response: ProcessingResponse) => {
      if (isOver) return;
      stream.write(response);
      stream.end();
      over();
    };
    const refuse = (request: ProxyRequest, refused: Refused) => {
      count("refused");
      if (refused.isStill !== true) log(eventOf(request, refused));
      sayLast(refusal(refused));
    };
    const answer = async (request: ProxyRequest) => {
      const decision = await decide(request, knowledge);
      if ("reason" in decision) return refuse(request, decision);
      if (isOver) return;
      const opened = leases.open(decision, () => sayLast(ended));
      if (typeof opened !== "function") return refuse(request, opened);
      close = opened;
      count("allowed");
      log(eventOf(request, decision));
      stream.write(allowed(decision.destination));
    };
    stream.on("data", (message: ProcessingRequest) => {
      if (message.responseTrailers) stream.write({ responseTrailers: {} });
      if (message.requestHeaders === undefined) return;
      answer(readRequest(message)).catch((error: Error) => {
        count("refused");
        log({ outcome: "problem", reason: error.message });
        stream.end();
      });
    });
    stream.on("end", () => {
      over();
      stream.end();
    });
    for (const event of ["error", "cancelled", "close"]) stream.on(event, over);
  };

  // gRPC's own figures, which nobody reads, cost each call.
  const server = new Server({ "grpc.enable_channelz": 0 });
  server.addService(externalProcessor, { process });
  return server;
}
