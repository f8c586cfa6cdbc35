import {
  type ClientRequest,
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingMessage,
} from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import { createInterface } from "node:readline";
import type { Json } from "../values/property.ts";
import { apiError, UnreachableError } from "./api-error.ts";
import type { Connection } from "./kubeconfig.ts";

/** One request to the API server. */
export interface ApiRequest {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Path and query. */
  readonly path: string;
  readonly body?: Json;
  /** Of the body. Default: application/json. */
  readonly contentType?: string;
  readonly signal?: AbortSignal | undefined;
  /** Called with each warning that the server adds to its answer. */
  readonly onWarning?: ((text: string) => void) | undefined;
}

/** Sends requests over kept-open connections and turns refusals into errors. */
export interface Transport {
  readonly server: string;
  send(request: ApiRequest): Promise<Json>;
  /** The lines of an answer that does not end by itself. */
  lines(request: ApiRequest): AsyncIterable<string>;
  close(): void;
}

/** More connections would only queue at the server, whose own limits are per client. */
const MAX_CONNECTIONS = 32;
/** A server that is there answers sooner; without a limit a preview hangs on a dead address for minutes. */
const CONNECT_TIMEOUT_MS = 10_000;

export function httpTransport(connection: Connection): Transport {
  const url = new URL(connection.server);
  const secure = url.protocol === "https:";
  // Watches hold their connections, so they have their own and never starve the requests.
  const agent = (maxSockets: number) =>
    secure
      ? new HttpsAgent({ keepAlive: true, maxSockets, ...connection.tls })
      : new HttpAgent({ keepAlive: true, maxSockets });
  const agents = { requests: agent(MAX_CONNECTIONS), watches: agent(Number.POSITIVE_INFINITY) };
  const base = url.pathname.replace(/\/$/, "");

  function open(request: ApiRequest, kind: keyof typeof agents): Promise<IncomingMessage> {
    const body = request.body === undefined ? undefined : Buffer.from(JSON.stringify(request.body));
    const authorization = connection.authorization();
    return new Promise((resolve, reject) => {
      const sent: ClientRequest = (secure ? httpsRequest : httpRequest)({
        host: url.hostname.replace(/^\[|\]$/g, ""),
        port: url.port || (secure ? 443 : 80),
        method: request.method,
        path: base + request.path,
        agent: agents[kind],
        headers: {
          accept: "application/json",
          "user-agent": "drawbridge-lab-provider",
          ...(authorization === undefined ? {} : { authorization }),
          ...(body === undefined
            ? {}
            : { "content-type": request.contentType ?? "application/json", "content-length": body.length }),
        },
        ...(request.signal === undefined ? {} : { signal: request.signal }),
      });
      sent.once("socket", (socket) => {
        if (!socket.connecting) return;
        const timer = setTimeout(
          () => socket.destroy(new Error(`no connection within ${CONNECT_TIMEOUT_MS / 1000} s`)),
          CONNECT_TIMEOUT_MS,
        );
        const stop = () => clearTimeout(timer);
        socket.once(secure ? "secureConnect" : "connect", stop).once("close", stop);
      });
      sent.once("response", resolve);
      sent.once("error", (error) =>
        reject(request.signal?.aborted ? error : new UnreachableError(connection.server, error)),
      );
      sent.end(body);
    });
  }

  return {
    server: connection.server,
    async send(request) {
      const response = await open(request, "requests");
      const text = await textOf(response);
      const body = parseBody(text, response.headers["content-type"]);
      const status = response.statusCode ?? 0;
      if (status < 200 || status > 299) throw apiError(status, body, response.headers["retry-after"]);
      for (const warning of warningsOf(response.headers.warning)) request.onWarning?.(warning);
      return body;
    },
    async *lines(request) {
      const response = await open(request, "watches");
      const status = response.statusCode ?? 0;
      if (status < 200 || status > 299) {
        const text = await textOf(response);
        throw apiError(status, parseBody(text, response.headers["content-type"]));
      }
      try {
        yield* createInterface({ input: response });
      } finally {
        response.destroy();
      }
    },
    close() {
      agents.requests.destroy();
      agents.watches.destroy();
    },
  };
}

async function textOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

function parseBody(text: string, contentType: string | undefined): Json | string {
  return contentType?.startsWith("application/json") ? (JSON.parse(text) as Json) : text;
}

/** The texts of Warning headers such as `299 - "unknown field \"spec.x\""`. */
function warningsOf(header: string | undefined): string[] {
  return [...(header ?? "").matchAll(/299 \S+ "((?:[^"\\]|\\.)*)"/g)].map(([, text]) =>
    text!.replace(/\\(.)/g, "$1"),
  );
}
