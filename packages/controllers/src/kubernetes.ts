/** The Kubernetes API by a pod's own account. */
import { readFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { Agent, request } from "node:https";
import { anything, list, maybe, oneOf, record, text } from "./read.ts";

/** Where the API server is and how to prove oneself to it. */
interface ApiAccess {
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

/** Whose object it is. */
export interface Identity {
  readonly namespace: string;
  readonly name: string;
}

export const keyOf = ({ namespace, name }: Identity) => `${namespace}/${name}`;

const watchEvent = record({
  type: oneOf("ADDED", "MODIFIED", "DELETED", "BOOKMARK", "ERROR"),
  object: anything,
});
export type WatchEvent = ReturnType<typeof watchEvent>;

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

/** Answers may hold what any team wrote, so they are unknown until a reader (`read.ts`) has checked them. */
export interface Kubernetes {
  get(path: string): Promise<unknown>;
  /** A pod's log, at most `limit` bytes of it. */
  text(path: string, limit: number): Promise<string>;
  send(method: "POST" | "PUT" | "PATCH" | "DELETE", path: string, body?: object): Promise<unknown>;
  /** Ends when the API server ends it, or by the signal. */
  watch(path: string, signal: AbortSignal): AsyncGenerator<WatchEvent>;
}

const watchSeconds = 240;
const longestAnswer = 16 * 1024 * 1024;

/** @param ask for tests, which have no certificates */
export function kubernetes(
  { host, port, folder, userAgent, timeoutSeconds }: ApiAccess,
  ask: typeof request = request,
): Kubernetes {
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
      const sent = ask({ host, port, path, method, agent, headers, signal }, resolve);
      sent.on("error", reject);
      sent.end(body === undefined ? undefined : JSON.stringify(body));
    });
  }

  async function whole(
    method: string,
    path: string,
    body: object | undefined,
    limit: number,
    signal: AbortSignal,
  ) {
    const response = await call(method, path, body, signal);
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

  /** The deadline is for all of the answer: it may begin at once, and dribble. */
  async function answer(method: string, path: string, body?: object, limit = longestAnswer): Promise<string> {
    // By the signal and not by a clock: a timer may fire a moment before its time.
    const signal = AbortSignal.timeout(timeoutSeconds * 1000);
    return whole(method, path, body, limit, signal).catch((error) => {
      throw signal.aborted ? new Error(`the API server does not answer within ${timeoutSeconds} s`) : error;
    });
  }

  return {
    get: async (path) => JSON.parse(await answer("GET", path)),
    text: (path, limit) => answer("GET", path, undefined, limit),
    send: async (method, path, body) => JSON.parse(await answer(method, path, body)),
    async *watch(path, signal) {
      // A server that vanished says nothing; so each watch ends, and whoever wants more asks again.
      const late = new AbortController();
      const until = AbortSignal.any([signal, late.signal, AbortSignal.timeout((watchSeconds + 60) * 1000)]);
      const timer = setTimeout(() => late.abort(), timeoutSeconds * 1000);
      const response = await call("GET", `${path}&timeoutSeconds=${watchSeconds}`, undefined, until).finally(
        () => clearTimeout(timer),
      );
      if (response.statusCode !== 200) {
        response.destroy();
        throw new ApiError(response.statusCode ?? 0, `the watch of ${path} was refused`);
      }
      let rest: string[] = [];
      let size = 0;
      response.setEncoding("utf8");
      for await (const chunk of response as AsyncIterable<string>) {
        rest.push(chunk);
        size += chunk.length;
        if (size > longestAnswer) throw new TooMuch(path, longestAnswer);
        if (!chunk.includes("\n")) continue;
        const lines = rest.join("").split("\n");
        rest = lines.splice(-1);
        size = rest[0]?.length ?? 0;
        // A line that is no event ends the watch, and the caller lists anew: to skip it could be to miss a change.
        for (const line of lines) if (line !== "") yield watchEvent(JSON.parse(line), "an event");
      }
    },
  };
}

const longestPage = 100;

const page = record({
  items: maybe(list(anything, Number.POSITIVE_INFINITY)),
  metadata: record({
    resourceVersion: text("a version"),
    continue: maybe(text("a token", undefined, 10_000)),
  }),
});

/** A list in pages, which become shorter where objects are big: one team's must not keep others' from being seen. */
export async function* pages(
  api: Kubernetes,
  path: string,
): AsyncGenerator<{ readonly items: readonly unknown[]; readonly resourceVersion: string }> {
  let limit = longestPage;
  for (let next: string | undefined = ""; next !== undefined; ) {
    const further: string = next === "" ? "" : `&continue=${encodeURIComponent(next)}`;
    const answer: unknown = await api.get(`${path}&limit=${limit}${further}`).catch((error) => {
      if (error instanceof TooMuch && limit > 1) return undefined;
      throw error;
    });
    limit = answer === undefined ? Math.ceil(limit / 8) : Math.min(longestPage, 2 * limit);
    if (answer === undefined) continue;
    const { items = [], metadata } = page(answer, "the list");
    yield { items, resourceVersion: metadata.resourceVersion };
    next = metadata.continue || undefined;
  }
}

const patchType = (body: object) =>
  Array.isArray(body) ? "application/json-patch+json" : "application/merge-patch+json";

/** The API's own sentence out of a Status object. */
function sentence(status: number, body: string): string {
  try {
    return String((JSON.parse(body) as { message?: unknown }).message ?? status).slice(0, 1000);
  } catch {
    return `the API server answered ${status}`;
  }
}
