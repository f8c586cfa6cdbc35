import type { Refusal } from "./authorize.ts";
import { stillOverLimit } from "./limits.ts";
import type { AuthorizeRequest } from "./protocol.ts";

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
