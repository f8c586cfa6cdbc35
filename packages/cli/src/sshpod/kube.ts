/** The Kubernetes API as the user's kubeconfig gives it: whose credentials, which cluster, which namespace. */

import { existsSync } from "node:fs";
import type { RequestOptions } from "node:https";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import { ApiError, apiOf, longestAnswer, wholeAnswer } from "@drawbridge-iac/drawbridge/src/kubernetes/api";
import type { KubeConfig } from "@kubernetes/client-node";
import WebSocket from "ws";
import { CliError } from "../faults.ts";
import { agentFor } from "../proxy/outward-agent.ts";

/** A context of the kubeconfig, ready to be asked. */
export interface Kube {
  readonly context: string;
  readonly server: string;
  /** The context's namespace, else `default`. */
  readonly namespace: string;
  /** Reads one object. */
  get<T>(path: string): Promise<T>;
  /** Reads what is no object, such as a log. */
  text(path: string): Promise<string>;
  create(path: string, object: object): Promise<void>;
  remove(path: string): Promise<void>;
  /** Opens a streaming endpoint (exec, portforward); paused until the caller listens. */
  open(path: string, protocols: string[]): Promise<WebSocket>;
}

const cures: Readonly<Record<number, string>> = {
  401: "log in to the cluster again",
  403: "ask your platform team to allow it",
};

/** An answer of the API server that has another status than the one wanted. */
export class KubeError extends CliError {
  readonly status: number;
  /** The API server's own words, for a sentence that has another cure. */
  readonly said: string;

  constructor(status: number, said: string) {
    const usual =
      "try again; if it stays, ask your platform team whether the cluster and the pod's node are well";
    super(`the Kubernetes API answered ${status}: ${said}; ${cures[status] ?? usual}`);
    this.status = status;
    this.said = said;
  }
}

/** Whether the user may not do what was asked. */
export const isForbidden = (error: unknown): error is KubeError =>
  error instanceof KubeError && error.status === 403;

/** A YAML parser repeats the lines around a mistake, which may hold a token. */
const whyUnread = ({ name, message }: Error) =>
  name === "YAMLException" ? `it is no YAML ${/\(\d+:\d+\)/.exec(message)?.[0] ?? ""}`.trim() : message;

/** Loads the kubeconfig (`KUBECONFIG`, `~/.kube/config`, or a pod's own account) and picks a context. */
export async function loadKube(contextName?: string): Promise<Kube> {
  // Loaded here and not above: it takes far longer than everything else of this program together.
  const { KubeConfig } = await import("@kubernetes/client-node");
  const config = new KubeConfig();
  if (!hasKubeconfig()) {
    throw new CliError(
      "there is no kubeconfig: KUBECONFIG names none, and ~/.kube/config is not there; ask your platform team for one",
    );
  }
  try {
    config.loadFromDefault();
  } catch (error) {
    throw new CliError(
      `the kubeconfig cannot be read: ${whyUnread(error as Error)}; check the file that KUBECONFIG names, or ~/.kube/config`,
    );
  }
  if (contextName !== undefined) config.setCurrentContext(findContext(config, contextName));
  const context = config.getContextObject(config.getCurrentContext());
  const cluster = config.getCurrentCluster();
  if (context === null || cluster === null) {
    throw new CliError(
      `the kubeconfig has no usable current context (${JSON.stringify(config.getCurrentContext())}); choose one with: kubectl config use-context NAME, or add context--NAME to the host name`,
    );
  }
  const server = cluster.server.replace(/\/+$/, "");
  const api = apiOf({ server, options: () => options(config), timeoutSeconds: 30 });
  const ask = (...request: Parameters<typeof api.ask>) => api.ask(...request).catch(explained(server));
  return {
    context: context.name,
    server,
    namespace: context.namespace ?? "default",
    get: async <T>(path: string) => readAnswer(await ask("GET", path), server) as T,
    text: (path) => ask("GET", path),
    create: async (path, object) => void readAnswer(await ask("POST", path, object), server),
    remove: async (path) => void readAnswer(await ask("DELETE", path), server),
    open: async (path, protocols) => open(server + path, protocols, await options(config), server),
  };
}

/** The name of the current context; undefined where there is none. */
export async function currentContext(): Promise<string | undefined> {
  return hasKubeconfig() ? (await loadKube()).context : undefined;
}

/** A function that loads the current context at its first call and returns the same one later. */
export function sharedKube(): () => Promise<Kube> {
  let kube: Promise<Kube> | undefined;
  return () => {
    kube ??= loadKube();
    return kube;
  };
}

/** Whether there is anything to load. Without this check the library goes on with an address of its own choice. */
export function hasKubeconfig(): boolean {
  const { KUBERNETES_SERVICE_HOST, KUBECONFIG } = process.env;
  if (KUBERNETES_SERVICE_HOST) return true;
  const files = KUBECONFIG ? KUBECONFIG.split(delimiter) : [join(homedir(), ".kube", "config")];
  return files.some((file) => file !== "" && existsSync(file));
}

/** ssh writes host names in lower case, so a context is also found by a name that differs only in case. */
function findContext(config: KubeConfig, wanted: string): string {
  const names = config.getContexts().map((context) => context.name);
  if (names.includes(wanted)) return wanted;
  const alike = names.filter((name) => name.toLowerCase() === wanted.toLowerCase());
  const [only] = alike;
  if (only !== undefined && alike.length === 1) return only;
  throw new CliError(
    `the kubeconfig has no context ${JSON.stringify(wanted)}; it has: ${names.join(", ") || "none"}`,
  );
}

async function options(config: KubeConfig): Promise<RequestOptions> {
  const result: RequestOptions = {};
  try {
    await config.applyToHTTPSOptions(result as never);
    const cluster = config.getCurrentCluster();
    // A proxy of its own comes first, as kubectl has it.
    if (!cluster?.proxyUrl) result.agent = agentFor(cluster?.server ?? "https:");
  } catch (error) {
    throw new CliError(explainCredentials(error as NodeJS.ErrnoException, config));
  }
  return result;
}

/** Credentials often come from a program that the kubeconfig names, such as aws or gke-gcloud-auth-plugin. */
function explainCredentials({ message, code }: NodeJS.ErrnoException, config: KubeConfig): string {
  const program = config.getCurrentUser()?.exec?.command as string | undefined;
  if (program !== undefined && (code === "ENOENT" || message.includes("ENOENT"))) {
    return `the kubeconfig gets its credentials from the program ${program}, which is not installed here; install it, or use another context`;
  }
  const [first = ""] = message.split("\n").filter((line) => line.trim() !== "");
  if (program !== undefined) {
    return `the program ${program}, which the kubeconfig names, gave no credentials: ${first.trim()}; log in to the cluster again`;
  }
  return `the kubeconfig's credentials cannot be used: ${first.trim()}; log in to the cluster again`;
}

function open(
  url: string,
  protocols: string[],
  settings: RequestOptions,
  server: string,
): Promise<WebSocket> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url.replace(/^http/, "ws"), protocols, {
      ...(settings as object),
      handshakeTimeout: 30_000,
      // Kubernetes does not compress, and ssh's bytes would not get smaller.
      perMessageDeflate: false,
    });
    socket.once("open", () => {
      // The first frames may come along with the answer, before the caller can listen.
      socket.pause();
      resolve(socket);
    });
    socket.once("error", (error) => reject(unreachable(server, error)));
    socket.once("unexpected-response", (_request, response) => {
      wholeAnswer(response, url, longestAnswer)
        .then((body) => Promise.reject(foreign(server, body)), explained(server))
        .catch(reject);
    });
  });
}

/** Throws what a request failed with, in words for the user. */
const explained =
  (server: string) =>
  (error: Error): never => {
    if (error instanceof CliError) throw error;
    if (!(error instanceof ApiError)) throw unreachable(server, error);
    if (error.status < 400) throw foreign(server, error.body);
    throw new KubeError(error.status, error.message);
  };

/** What an API server has answered; throws for what something else has answered in its place. */
export function readAnswer(body: string, server: string): object {
  try {
    const answer: unknown = JSON.parse(body);
    if (answer instanceof Object) return answer;
  } catch {}
  throw foreign(server, body);
}

const shown = (body: string) => body.trim().slice(0, 200);

function foreign(server: string, body: string): CliError {
  return new CliError(
    `${server} does not answer as a Kubernetes API does, but ${JSON.stringify(shown(body))}; it may be a proxy's login page: check the kubeconfig's server address, or log in there first`,
  );
}

function unreachable(server: string, error: Error): CliError {
  return new CliError(
    `the Kubernetes API at ${server} cannot be reached: ${error.message}; check the network and the kubeconfig's server address`,
  );
}
