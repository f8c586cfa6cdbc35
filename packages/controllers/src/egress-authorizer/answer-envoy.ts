/** Answers Envoy, and counts and logs what it answered. */

import { authorizerMetadata } from "@drawbridge-iac/drawbridge/src/host/egress/contract";
import { status as codes, type handleBidiStreamingCall, type handleUnaryCall, Server } from "@grpc/grpc-js";
import { keyOf } from "../api-server.ts";
import type { Log, Metrics } from "../telemetry.ts";
import { type Decision, decide, type Knowledge } from "./decide.ts";
import {
  authorization,
  type CheckRequest,
  type CheckResponse,
  externalProcessor,
  type ProcessingRequest,
  type ProcessingResponse,
  struct,
} from "./envoy-protocol.ts";
import type { Leases } from "./leases.ts";
import type { ProxyRequest } from "./target.ts";

const decisions = "drawbridge_egress_decisions_total";

const readRequest = ({ attributes }: CheckRequest): ProxyRequest => {
  const { method = "", host = "", scheme = "", headers = {} } = attributes?.request?.http ?? {};
  return {
    method,
    scheme,
    authority: host,
    authorization: headers["proxy-authorization"] ?? "",
    source: attributes?.source?.address?.socketAddress?.address ?? "",
  };
};

/** One line for each that is decided. Never a token; what was asked for is shown only to its own log. */
function eventLine({ method, authority, source }: ProxyRequest, decision: Decision) {
  const { identity } = decision;
  return {
    ...(identity && { container: keyOf(identity) }),
    address: source,
    way: "egress",
    what: `${method} ${authority.slice(0, 300)}`,
    ...("reason" in decision
      ? { outcome: "refused", reason: decision.reason }
      : { outcome: "allowed", destination: decision.destination }),
  };
}

function refusal({ status, reason }: Extract<Decision, { reason: string }>): CheckResponse {
  const headers = {
    "content-type": "text/plain; charset=utf-8",
    "x-egress-reason": reason.replaceAll(/[^\x20-\x7e]/g, "?"),
    ...(status === 407 ? { "proxy-authenticate": 'Basic realm="drawbridge egress"' } : {}),
  };
  return {
    status: { code: codes.PERMISSION_DENIED },
    deniedResponse: {
      status: { code: status },
      headers: Object.entries(headers).map(([key, value]) => ({ header: { key, value } })),
      body: `drawbridge: ${reason}\n`,
    },
  };
}

/** Whatever goes wrong in here ends in an error of gRPC, which Envoy takes for a refusal. */
export function egressServer(knowledge: Knowledge, leases: Leases, metrics: Metrics, log: Log): Server {
  const count = (outcome: "allowed" | "refused", by = 1) => metrics.count(decisions, { outcome }, by);
  for (const outcome of ["allowed", "refused"] as const) count(outcome, 0);

  const check: handleUnaryCall<CheckRequest, CheckResponse> = async (call, answer) => {
    try {
      const request = readRequest(call.request);
      const decided = await decide(request, knowledge);
      const decision = "reason" in decided ? decided : leases.promise(decided);
      const isRefused = "reason" in decision;
      count(isRefused ? "refused" : "allowed");
      if (!isRefused || decision.isStill !== true) log(eventLine(request, decision));
      if (isRefused) return answer(null, refusal(decision));
      answer(null, {
        status: { code: codes.OK },
        okResponse: {},
        dynamicMetadata: struct({ destination: decision.destination, lease: decision.id }),
      });
    } catch (error) {
      count("refused");
      log({ outcome: "problem", reason: (error as Error).message });
      answer({ code: codes.INTERNAL });
    }
  };

  const hold: handleBidiStreamingCall<ProcessingRequest, ProcessingResponse> = (stream) => {
    let release: (() => void) | undefined;
    const end = () => {
      stream.write({ immediateResponse: { status: { code: 403 } } });
      stream.end();
    };
    const ended = () => {
      release?.();
      release = undefined;
    };
    stream.on("data", ({ requestHeaders, responseTrailers, metadataContext }: ProcessingRequest) => {
      if (requestHeaders) {
        const { lease } = metadataContext?.filterMetadata[authorizerMetadata]?.fields ?? {};
        release = leases.attach(lease?.stringValue ?? "", end);
        if (release === undefined) end();
        else stream.write({ requestHeaders: {} });
      } else if (responseTrailers) stream.write({ responseTrailers: {} });
    });
    stream.on("end", () => stream.end());
    stream.on("error", ended);
    stream.on("cancelled", ended);
    stream.on("close", ended);
  };

  const server = new Server();
  server.addService(authorization, { check });
  server.addService(externalProcessor, { process: hold });
  return server;
}
