/** The Kubernetes API by a pod's own account. */
import { readFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { Agent, request } from "node:https";

/** Where the API server is and how to prove oneself to it. */
export interface ApiAccess {
  readonly host: string;
  readonly port: number;
  /** Folder with `token` and `ca.crt`, as the kubelet mounts it; the token is renewed there. */
  readonly folder: string;
  /** Names who did it: in the audit log, and as the owner of what was changed. */
  readonly userAgent: string;
  /** How long an answer may take. */
  readonly timeoutSeconds: number;
}

/** The API server of the pod's own cluster; undefined outside of one. */
export function ownCluster(): Pick<ApiAccess, "host" | "port"> | undefined {
  const host = process.env.KUBERNETES_SERVICE_HOST;
  return host === undefined
    ? undefined
    : { host, port: Number(process.env.KUBERNETES_SERVICE_PORT ?? "443") };
}

export interface WatchEvent<T> {
  readonly type: "ADDED" | "MODIFIED" | "DELETED" | "BOOKMARK" | "ERROR";
  readonly object: T;
}

/** An answer of the API server other than success. */
export class ApiError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** An answer that is longer than anybody should have to take. */
export class TooMuch extends Error {
  constructor(path: string, limit: number) {
    super(`${path} answers more than ${limit} bytes`);
  }
}

export interface Kubernetes {
  get<T>(path: string): Promise<T>;
  /** A pod's log, at most `limit` bytes of it. */
  text(path: string, limit: number): Promise<string>;
  send<T>(method: "POST" | "PUT" | "PATCH" | "DELETE", path: string, body?: object): Promise<T>;
  /** Ends when the API server ends it, or by the signal. */
  watch<T>(path: string, signal: AbortSignal): AsyncGenerator<WatchEvent<T>>;
}

const watchSeconds = 240;
const longestAnswer = 16 * 1024 * 1024;

export function kubernetes({ host, port, folder, userAgent, timeoutSeconds }: ApiAccess): Kubernetes {
  const agent = new Agent({ keepAlive: true, ca: readFileSync(`${folder}/ca.crt`) });

  function call(method: string, path: string, body: object | undefined, signal: AbortSignal) {
    return new Promise<IncomingMessage>((resolve, reject) => {
      const token = readFileSync(`${folder}/token`, "utf8").trim();
      const type = method === "PATCH" ? patchType(body ?? {}) : "application/json";
      const headers = {
        authorization: `Bearer ${token}`,
        "user-agent": userAgent,
        ...(body === undefined ? {} : { "content-type": type }),
      };
      const sent = request({ host, port, path, method, agent, headers, signal }, resolve);
      sent.on("error", reject);
      sent.end(body === undefined ? undefined : JSON.stringify(body));
    });
  }

  async function answer(method: string, path: string, body?: object, limit = longestAnswer): Promise<string> {
    const response = await call(method, path, body, AbortSignal.timeout(timeoutSeconds * 1000)).catch(
      (error: Error) => {
        throw error.name === "AbortError" || error.name === "TimeoutError"
          ? new Error(`the API server does not answer within ${timeoutSeconds} s`)
          : error;
      },
    );
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of response as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > limit) throw new TooMuch(path, limit);
      chunks.push(chunk);
    }
    const text = Buffer.concat(chunks).toString("utf8");
    const status = response.statusCode ?? 0;
    if (status < 200 || status > 299) throw new ApiError(status, sentence(status, text));
    return text;
  }

  return {
    get: async <T>(path: string) => JSON.parse(await answer("GET", path)) as T,
    text: (path, limit) => answer("GET", path, undefined, limit),
    send: async <T>(method: string, path: string, body?: object) =>
      JSON.parse(await answer(method, path, body)) as T,
    async *watch<T>(path: string, signal: AbortSignal) {
      // A server that vanished says nothing; so each watch ends, and whoever wants more asks again.
      const until = AbortSignal.any([signal, AbortSignal.timeout((watchSeconds + 60) * 1000)]);
      const response = await call("GET", `${path}&timeoutSeconds=${watchSeconds}`, undefined, until);
      if (response.statusCode !== 200) {
        response.resume();
        throw new ApiError(response.statusCode ?? 0, `the watch of ${path} was refused`);
      }
      let rest = "";
      response.setEncoding("utf8");
      for await (const chunk of response as AsyncIterable<string>) {
        const lines = (rest + chunk).split("\n");
        rest = lines.pop() ?? "";
        for (const line of lines) if (line !== "") yield JSON.parse(line) as WatchEvent<T>;
      }
    },
  };
}

const longestPage = 100;

interface Page<T> {
  readonly items: readonly T[];
  readonly metadata: { readonly resourceVersion: string; readonly continue?: string };
}

/** A list in pages, which become shorter where somebody's objects are big: they must keep nobody else's from being seen. */
export async function* pages<T>(api: Kubernetes, path: string): AsyncGenerator<Page<T>> {
  let limit = longestPage;
  for (let next: string | undefined = ""; next !== undefined; ) {
    const further: string = next === "" ? "" : `&continue=${encodeURIComponent(next)}`;
    const page: Page<T> | undefined = await api
      .get<Page<T>>(`${path}&limit=${limit}${further}`)
      .catch((error) => {
        if (error instanceof TooMuch && limit > 1) return undefined;
        throw error;
      });
    limit = page === undefined ? Math.ceil(limit / 8) : Math.min(longestPage, 2 * limit);
    if (page === undefined) continue;
    yield page;
    next = page.metadata.continue || undefined;
  }
}

const patchType = (body: object) =>
  Array.isArray(body) ? "application/json-patch+json" : "application/merge-patch+json";

/** The API's own sentence out of a Status object. */
function sentence(status: number, body: string): string {
  try {
    return String((JSON.parse(body) as { message?: unknown }).message ?? status);
  } catch {
    return `the API server answered ${status}`;
  }
}
