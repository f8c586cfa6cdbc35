import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, dirname, isAbsolute, join } from "node:path";
import { parse } from "yaml";
import { z } from "zod";

/** How to reach an API server and as whom. */
export interface Connection {
  /** URL of the server, without a trailing slash. */
  readonly server: string;
  /** Namespace of objects that name none. */
  readonly namespace: string;
  readonly tls: {
    readonly ca?: string;
    readonly cert?: string;
    readonly key?: string;
    readonly servername?: string;
    readonly rejectUnauthorized: boolean;
  };
  /** Value of the Authorization header, read anew for each request since token files are renewed. */
  readonly authorization: () => string | undefined;
}

/** Where to look for the connection. */
export interface KubeconfigSource {
  /** Content of a kubeconfig, or its path. Default: `$KUBECONFIG`, else `~/.kube/config`. */
  readonly kubeconfig?: string | undefined;
  /** Name of the context. Default: the file's current one. */
  readonly context?: string | undefined;
  /** Name of the cluster, in place of the context's. */
  readonly cluster?: string | undefined;
}

const Entry = <T extends z.ZodType>(key: string, value: T) =>
  z.array(z.looseObject({ name: z.string(), [key]: value })).default([]);
const Cluster = z.looseObject({
  server: z.string(),
  "certificate-authority": z.string().optional(),
  "certificate-authority-data": z.string().optional(),
  "insecure-skip-tls-verify": z.boolean().optional(),
  "tls-server-name": z.string().optional(),
});
const User = z.looseObject({
  "client-certificate": z.string().optional(),
  "client-certificate-data": z.string().optional(),
  "client-key": z.string().optional(),
  "client-key-data": z.string().optional(),
  token: z.string().optional(),
  tokenFile: z.string().optional(),
  username: z.string().optional(),
  password: z.string().optional(),
});
const Context = z.looseObject({ cluster: z.string(), user: z.string(), namespace: z.string().optional() });
const Kubeconfig = z.looseObject({
  "current-context": z.string().optional(),
  clusters: Entry("cluster", Cluster),
  users: Entry("user", User.nullish()),
  contexts: Entry("context", Context),
});
type Kubeconfig = z.infer<typeof Kubeconfig>;
type User = z.infer<typeof User>;

/** Reads the connection of a kubeconfig. An error says what is missing. */
export function loadConnection(source: KubeconfigSource): Connection {
  const { config, folder } = read(source.kubeconfig);
  const contextName = source.context ?? config["current-context"];
  if (!contextName) throw new Error("the kubeconfig names no current context. Set the provider's `context`.");
  const context = Context.parse(find(config, "contexts", "context", contextName));
  const cluster = Cluster.parse(find(config, "clusters", "cluster", source.cluster ?? context.cluster));
  const user = User.parse(find(config, "users", "user", context.user) ?? {});
  refuseUnsupported(context.user, user);
  const file = (data: string | undefined, path: string | undefined): string | undefined => {
    if (data) return Buffer.from(data, "base64").toString("utf8");
    return path ? readFileSync(isAbsolute(path) ? path : join(folder, path), "utf8") : undefined;
  };
  const ca = file(cluster["certificate-authority-data"], cluster["certificate-authority"]);
  const cert = file(user["client-certificate-data"], user["client-certificate"]);
  const key = file(user["client-key-data"], user["client-key"]);
  const servername = cluster["tls-server-name"];
  return {
    server: cluster.server.replace(/\/+$/, ""),
    namespace: context.namespace || "default",
    tls: {
      rejectUnauthorized: cluster["insecure-skip-tls-verify"] !== true,
      ...(ca === undefined ? {} : { ca }),
      ...(cert === undefined ? {} : { cert }),
      ...(key === undefined ? {} : { key }),
      ...(servername === undefined ? {} : { servername }),
    },
    authorization: () => authorization(user, (path) => file(undefined, path)!),
  };
}

function authorization(user: User, readText: (path: string) => string): string | undefined {
  if (user.token) return `Bearer ${user.token}`;
  if (user.tokenFile) return `Bearer ${readText(user.tokenFile).trim()}`;
  if (user.username)
    return `Basic ${Buffer.from(`${user.username}:${user.password ?? ""}`).toString("base64")}`;
  return undefined;
}

function refuseUnsupported(name: string, user: User): void {
  for (const key of ["exec", "auth-provider"]) {
    if (key in user) {
      throw new Error(
        `the kubeconfig's user "${name}" logs in by "${key}", which the stand-in provider does not support. Use a token or a client certificate, or install the official provider.`,
      );
    }
  }
}

function find(
  config: Kubeconfig,
  list: "clusters" | "contexts" | "users",
  key: string,
  name: string,
): unknown {
  const found = config[list].find((entry) => entry.name === name);
  if (found !== undefined) return found[key];
  const names = config[list].map((entry) => `"${entry.name}"`).join(", ") || "none";
  throw new Error(`the kubeconfig has no ${key} "${name}"; it has ${names}.`);
}

function read(kubeconfig: string | undefined): { config: Kubeconfig; folder: string } {
  const given = kubeconfig || process.env.KUBECONFIG || join(homedir(), ".kube", "config");
  // Content must never be taken for a path: the error about the missing file would print its credentials.
  if (given.includes("\n") || given.trimStart().startsWith("{")) {
    return { config: parseConfig(given, "the given kubeconfig"), folder: process.cwd() };
  }
  const paths = given.split(delimiter).map((path) => path.replace(/^~(?=\/)/, homedir()));
  const existing = paths.filter((path) => existsSync(path));
  if (existing.length === 0) {
    throw new Error(
      `there is no kubeconfig at ${paths.join(", ")}. Set KUBECONFIG or the provider's \`kubeconfig\`.`,
    );
  }
  const configs = existing.map((path) => parseConfig(readFileSync(path, "utf8"), path));
  return { config: merge(configs), folder: dirname(existing[0]!) };
}

function parseConfig(text: string, where: string): Kubeconfig {
  const parsed = Kubeconfig.safeParse(parse(text));
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0]!;
  throw new Error(`${where} is no kubeconfig: ${issue.path.join(".") || "content"}: ${issue.message}.`);
}

/** Several files count as one; for a name that is in two of them the first one wins. */
function merge(configs: Kubeconfig[]): Kubeconfig {
  const current = configs.map((config) => config["current-context"]).find((name) => name);
  return {
    ...(current === undefined ? {} : { "current-context": current }),
    clusters: configs.flatMap((config) => config.clusters),
    users: configs.flatMap((config) => config.users),
    contexts: configs.flatMap((config) => config.contexts),
  };
}
