import type { IncomingMessage } from "node:http";
import { Agent, request } from "node:https";
import { text } from "node:stream/consumers";
import { apiServerUrl } from "../addresses.ts";
import type { Credentials } from "../pki/kubeconfig.ts";

/**
 * A small client of the API server. The general client library takes more than a second of processor time to
 * load, which the start of a lab cannot spare; the supervisor needs five verbs and a watch.
 */
export class ApiClient {
  readonly #agent: Agent;

  constructor(credentials: Credentials) {
    this.#agent = new Agent({
      keepAlive: true,
      ca: credentials.authority,
      cert: credentials.certificate,
      key: credentials.key,
    });
  }

  get<T>(path: string): Promise<T> {
    return this.#call("GET", path);
  }

  post<T>(path: string, body: unknown): Promise<T> {
    return this.#call("POST", path, body);
  }

  delete<T>(path: string): Promise<T> {
    return this.#call("DELETE", path);
  }

  /** JSON merge patch. */
  merge<T>(path: string, body: unknown): Promise<T> {
    return this.#call("PATCH", path, body, "application/merge-patch+json");
  }

  /** Server-side apply, taking over fields that someone else owns. */
  apply<T>(path: string, body: unknown): Promise<T> {
    const query = "fieldManager=drawbridge-lab&force=true";
    return this.#call("PATCH", `${path}?${query}`, body, "application/apply-patch+yaml");
  }

  /** The open answer of a GET; the caller reads it to its end or destroys it. */
  async open(path: string): Promise<IncomingMessage> {
    const response = await this.#send("GET", path);
    await refuseFailure(response, `GET ${path}`);
    return response;
  }

  async #call<T>(method: string, path: string, body?: unknown, contentType?: string): Promise<T> {
    const response = await this.#send(method, path, body, contentType);
    await refuseFailure(response, `${method} ${path}`);
    const answer = await text(response);
    return answer.startsWith("{") ? (JSON.parse(answer) as T) : (answer as T);
  }

  #send(method: string, path: string, body?: unknown, type = "application/json"): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const headers = body === undefined ? {} : { "content-type": type };
      const call = request(`${apiServerUrl}${path}`, { agent: this.#agent, method, headers }, resolve);
      call.on("error", reject);
      call.end(body === undefined ? undefined : JSON.stringify(body));
    });
  }
}

/** The API server refused a call. */
export class ApiError extends Error {
  /** HTTP status code. */
  readonly status: number;

  constructor(status: number, call: string, answer: string) {
    super(`${call} answered ${status}: ${messageOf(answer)}`);
    this.status = status;
  }
}

async function refuseFailure(response: IncomingMessage, call: string): Promise<void> {
  const status = response.statusCode ?? 0;
  if (status < 200 || status > 299) throw new ApiError(status, call, await text(response));
}

/** Kubernetes answers with a Status object; what stands before it (a proxy, a dying server) does not. */
function messageOf(answer: string): string {
  try {
    return (JSON.parse(answer) as { message?: string }).message ?? answer;
  } catch {
    return answer;
  }
}
