/** Requests to the Kubernetes API by Node's own client, as the command and the controllers send them. */
import http, { type IncomingMessage } from "node:http";
import https, { type RequestOptions } from "node:https";
import { urlToHttpOptions } from "node:url";

/** How an API server is reached, and as whom. */
export interface ApiAccess {
  /** Its address, without a trailing slash. */
  readonly server: string;
  /** Agent and credentials of one request, which may be others for the next. */
  readonly options: () => RequestOptions | Promise<RequestOptions>;
  /** How long an answer may take, to its end: it may begin at once, and dribble. */
  readonly timeoutSeconds: number;
}

/** An answer of the API server other than success; the message is its own sentence. */
export class ApiError extends Error {
  readonly status: number;
  /** What was answered, for answers that are none of an API server's. */
  readonly body: string;

  constructor(status: number, message: string, body = "") {
    super(message);
    this.status = status;
    this.body = body;
  }
}

/** An answer that is longer than anybody should have to take. */
export class TooMuch extends Error {
  constructor(path: string, limit: number) {
    super(`${path} answers more than ${limit} bytes`);
  }
}

export const longestAnswer = 16 * 1024 * 1024;

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

export interface Api {
  /** The beginning of an answer, whatever its status. */
  open(method: Method, path: string, body: object | undefined, signal: AbortSignal): Promise<IncomingMessage>;
  /** A whole answer, of at most `limit` bytes. @throws ApiError for another status than success */
  ask(method: Method, path: string, body?: object, limit?: number): Promise<string>;
}

export function apiOf({ server, options, timeoutSeconds }: ApiAccess): Api {
  const url = new URL(server);
  const { request } = url.protocol === "https:" ? https : http;
  const at = urlToHttpOptions(url);

  const open: Api["open"] = async (method, path, body, signal) => {
    const given = await options();
    const type = body === undefined ? {} : { "content-type": contentType(method, body) };
    // Not as one URL, in which a name of dots would lead elsewhere.
    const to = { ...at, path: `${url.pathname.replace(/\/$/, "")}${path}`, method, signal };
    return new Promise((resolve, reject) => {
      request({ ...to, ...given, headers: { ...given.headers, ...type } }, resolve)
        .on("error", reject)
        .end(body === undefined ? undefined : JSON.stringify(body));
    });
  };

  return {
    open,
    async ask(method, path, body, limit = longestAnswer) {
      // By the signal and not by a clock: a timer may fire a moment before its time.
      const signal = AbortSignal.timeout(timeoutSeconds * 1000);
      return open(method, path, body, signal)
        .then((response) => wholeAnswer(response, path, limit))
        .catch((error) => {
          throw signal.aborted
            ? new Error(`the API server does not answer within ${timeoutSeconds} s`)
            : error;
        });
    },
  };
}

/** @throws ApiError for another status than success */
export async function wholeAnswer(response: IncomingMessage, path: string, limit: number): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > limit) throw new TooMuch(path, limit);
    chunks.push(chunk);
  }
  const text = Buffer.concat(chunks).toString("utf8");
  const { statusCode: status = 0 } = response;
  if (status < 200 || status > 299) throw new ApiError(status, sentence(status, text), text);
  return text;
}

function contentType(method: Method, body: object): string {
  if (method !== "PATCH") return "application/json";
  return Array.isArray(body) ? "application/json-patch+json" : "application/merge-patch+json";
}

/** The API's own sentence out of a Status object, or the beginning of what something else has answered. */
function sentence(status: number, body: string): string {
  try {
    return String((JSON.parse(body) as { message?: unknown }).message ?? body).slice(0, 1000);
  } catch {
    return body.trim().slice(0, 200) || `the API server answered ${status}`;
  }
}
