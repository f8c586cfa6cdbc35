import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";
import { parse } from "yaml";
import type { Connection } from "./transport.ts";

/** Where to look for a connection. */
export interface KubeconfigSource {
  /** Content of a kubeconfig, or its path. Default: `$KUBECONFIG`, else `~/.kube/config`. */
  readonly kubeconfig?: string | undefined;
  /** Name of the context. Default: the file's current one. */
  readonly context?: string | undefined;
  /** Name of the cluster, in place of the context's. */
  readonly cluster?: string | undefined;
}

type Texts = Readonly<Record<string, string | undefined>>;
interface Kubeconfig {
  readonly "current-context"?: string | undefined;
  readonly clusters: readonly { name: string; cluster: Texts & { "insecure-skip-tls-verify"?: boolean } }[];
  readonly users: readonly { name: string; user?: Texts }[];
  readonly contexts: readonly { name: string; context: Texts }[];
}
const LISTS = ["clusters", "users", "contexts"] as const;

/** Reads the connection of a kubeconfig and the namespace of objects that name none. An error says what is missing. */
export function loadConnection(source: KubeconfigSource): Connection & { readonly namespace: string } {
  const { config, folder } = read(source.kubeconfig);
  const contextName = source.context ?? config["current-context"];
  if (!contextName) throw new Error("the kubeconfig names no current context. Set the provider's `context`.");
  const { context } = find(config.contexts, "context", contextName);
  const { cluster } = find(config.clusters, "cluster", source.cluster ?? context.cluster);
  const { user = {} } = find(config.users, "user", context.user);
  const plugin = ["exec", "auth-provider", "username"].find((key) => key in user);
  if (plugin !== undefined) {
    throw new Error(
      `the kubeconfig's user "${context.user}" logs in by "${plugin}", which the stand-in provider does not support. Use a token or a client certificate, or install the official provider.`,
    );
  }
  const { token, tokenFile } = user;
  const fromFile = (path: string) => readFileSync(resolve(folder, path), "utf8");
  const pem = (data: string | undefined, path: string | undefined) =>
    data ? Buffer.from(data, "base64").toString("utf8") : path && fromFile(path);
  const tls = {
    ca: pem(cluster["certificate-authority-data"], cluster["certificate-authority"]),
    cert: pem(user["client-certificate-data"], user["client-certificate"]),
    key: pem(user["client-key-data"], user["client-key"]),
    servername: cluster["tls-server-name"],
  };
  return {
    server: String(cluster.server).replace(/\/+$/, ""),
    namespace: context.namespace || "default",
    tls: {
      rejectUnauthorized: cluster["insecure-skip-tls-verify"] !== true,
      ...Object.fromEntries(Object.entries(tls).filter(([, value]) => value)),
    },
    authorization: () => {
      const bearer = token || (tokenFile && fromFile(tokenFile).trim());
      return bearer ? `Bearer ${bearer}` : undefined;
    },
  };
}

function find<T extends { name: string }>(list: readonly T[], what: string, name: string | undefined): T {
  const found = list.find((entry) => entry.name === name);
  if (found !== undefined) return found;
  const names = list.map((entry) => `"${entry.name}"`).join(", ") || "none";
  throw new Error(`the kubeconfig has no ${what} "${name}"; it has ${names}.`);
}

function read(kubeconfig: string | undefined): { config: Kubeconfig; folder: string } {
  const given = kubeconfig || process.env.KUBECONFIG || join(homedir(), ".kube", "config");
  // Content must never be taken for a path: the error about the missing file would print its credentials.
  if (given.includes("\n") || given.trimStart().startsWith("{")) {
    return { config: parseConfig(given, "the given kubeconfig"), folder: process.cwd() };
  }
  const paths = given.split(delimiter).map((path) => path.replace(/^~(?=\/)/, homedir()));
  const [first, ...others] = paths.filter((path) => existsSync(path));
  if (first === undefined) {
    throw new Error(
      `there is no kubeconfig at ${paths.join(", ")}. Set KUBECONFIG or the provider's \`kubeconfig\`.`,
    );
  }
  // Several files count as one; for a name that is in two of them the first one wins.
  const configs = [first, ...others].map((path) => parseConfig(readFileSync(path, "utf8"), path));
  const config = {
    "current-context": configs.map((config) => config["current-context"]).find((name) => name),
    clusters: configs.flatMap((config) => config.clusters),
    users: configs.flatMap((config) => config.users),
    contexts: configs.flatMap((config) => config.contexts),
  };
  return { config, folder: dirname(first) };
}

function parseConfig(content: string, where: string): Kubeconfig {
  const parsed = (parse(content) ?? {}) as Record<string, unknown>;
  const lists = Object.fromEntries(LISTS.map((list) => [list, parsed[list] ?? []]));
  const broken = LISTS.find((list) => !Array.isArray(lists[list]));
  if (broken !== undefined) throw new Error(`${where} is no kubeconfig: ${broken} must be a list.`);
  return { ...parsed, ...lists } as unknown as Kubeconfig;
}
