/** The Kubernetes API by a pod's own account. */
import { readFileSync } from "node:fs";
import { Agent } from "node:https";
import {
  ApiError,
  apiOf,
  longestAnswer,
  type Method,
  TooMuch,
} from "@drawbridge-iac/drawbridge/src/kubernetes/api";
import { anything, list, maybe, oneOf, record, text } from "./read.ts";

/** Where the API server is and how to prove oneself to it. */
interface PodAccess {
  /** Address of the API server. */
  readonly server: string;
  /** Folder with `token` and `ca.crt`, as the kubelet mounts it; the token is renewed there. */
  readonly folder: string;
  /** Names who did it: in the audit log, and as the owner of what was changed. */
  readonly userAgent: string;
  /** How long an answer may take. */
  readonly timeoutSeconds: number;
}

/** The API server of the pod's own cluster; undefined outside of one. */
export function ownCluster(): Pick<PodAccess, "server"> | undefined {
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port = "443" } = process.env;
  if (host === undefined) return undefined;
  return { server: `https://${host.includes(":") ? `[${host}]` : host}:${port}` };
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

/** Answers may hold what any team wrote, so they are unknown until a reader (`read.ts`) has checked them. */
export interface Kubernetes {
  get(path: string): Promise<unknown>;
  /** A pod's log, at most `limit` bytes of it. */
  text(path: string, limit: number): Promise<string>;
  send(method: Exclude<Method, "GET">, path: string, body?: object): Promise<unknown>;
  /** Ends when the API server ends it, or by the signal. */
  watch(path: string, signal: AbortSignal): AsyncGenerator<WatchEvent>;
}

const watchSeconds = 240;

export function kubernetes({ server, folder, userAgent, timeoutSeconds }: PodAccess): Kubernetes {
  const agent = server.startsWith("https:")
    ? { agent: new Agent({ keepAlive: true, ca: readFileSync(`${folder}/ca.crt`) }) }
    : {};
  const options = () => {
    const authorization = `Bearer ${readFileSync(`${folder}/token`, "utf8").trim()}`;
    return { ...agent, headers: { authorization, "user-agent": userAgent } };
  };
  const api = apiOf({ server, options, timeoutSeconds });

  return {
    get: async (path) => JSON.parse(await api.ask("GET", path)),
    text: (path, limit) => api.ask("GET", path, undefined, limit),
    send: async (method, path, body) => JSON.parse(await api.ask(method, path, body)),
    async *watch(path, signal) {
      // A server that vanished says nothing; so each watch ends, and a caller who wants more asks again.
      const late = new AbortController();
      const until = AbortSignal.any([signal, late.signal, AbortSignal.timeout((watchSeconds + 60) * 1000)]);
      const timer = setTimeout(() => late.abort(), timeoutSeconds * 1000);
      const response = await api
        .open("GET", `${path}&timeoutSeconds=${watchSeconds}`, undefined, until)
        .finally(() => clearTimeout(timer));
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
