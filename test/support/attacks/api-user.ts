/** A user of the Kubernetes API with a token, and what the API server answers. */
import { readFile } from "node:fs/promises";
import { Agent, request } from "node:https";

export interface ApiObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly [section: string]: unknown;
}

/** An HTTP status and the server's message, empty for what was accepted. */
export interface Answer {
  readonly status: number;
  readonly message: string;
}

interface Kubeconfig {
  readonly clusters: readonly {
    readonly cluster: Readonly<
      Record<"server" | "certificate-authority" | "certificate-authority-data", string>
    >;
  }[];
}

const clusterScoped = new Set(["Namespace", "ValidatingAdmissionPolicy", "ValidatingAdmissionPolicyBinding"]);

/** `networkpolicies` for `NetworkPolicy`. */
export function pluralOf(kind: string): string {
  const name = kind.toLowerCase();
  if (name === "endpoints") return name;
  if (name.endsWith("y") && !/[aeiou]y$/.test(name)) return `${name.slice(0, -1)}ies`;
  return name.endsWith("s") ? `${name}es` : `${name}s`;
}

function pathOf({ apiVersion, kind, metadata }: ApiObject): string {
  const root = apiVersion.includes("/") ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  const place = clusterScoped.has(kind) ? "" : `/namespaces/${metadata.namespace}`;
  return `${root}${place}/${pluralOf(kind)}/${metadata.name}`;
}

interface How {
  /** Whether the server only says what it would do. */
  readonly dryRun?: boolean;
  /** Whether a field that the server does not know is refused, as by kubectl. */
  readonly strict?: boolean;
  /** Whom a server-side apply is by. */
  readonly manager?: string;
}

export class ApiUser {
  readonly #server: string;
  readonly #agent: Agent;
  readonly #headers: Record<string, string>;

  private constructor(server: string, ca: string, token: string) {
    this.#server = server;
    this.#agent = new Agent({ ca, keepAlive: true, maxSockets: 4 });
    this.#headers = { authorization: `Bearer ${token}` };
  }

  /** @param kubeconfig path of a kubeconfig in JSON, of which the cluster is used and not the user */
  static async create(kubeconfig: string, token: string): Promise<ApiUser> {
    const { clusters } = JSON.parse(await readFile(kubeconfig, "utf8")) as Kubeconfig;
    const cluster = clusters[0]?.cluster;
    if (cluster === undefined) throw new Error(`${kubeconfig} has no cluster`);
    const inline = cluster["certificate-authority-data"];
    const ca =
      inline === undefined
        ? await readFile(cluster["certificate-authority"], "utf8")
        : Buffer.from(inline, "base64").toString();
    return new ApiUser(cluster.server, ca, token);
  }

  /** Server-side apply: creates the object, or changes it to what is given. */
  apply(object: ApiObject, how: How = {}): Promise<Answer> {
    const path = `${pathOf(object)}?fieldManager=${how.manager ?? "attack"}&force=true`;
    return this.#send("PATCH", path, how, object, "application/apply-patch+yaml");
  }

  /** Creates the object. */
  post(object: ApiObject, how: How = {}): Promise<Answer> {
    return this.#send("POST", pathOf(object).replace(/\/[^/]*$/, ""), how, object);
  }

  /** Tells a pod its node. */
  bind(pod: ApiObject, node: string, how: How = {}): Promise<Answer> {
    const { name, namespace } = pod.metadata;
    const target = { apiVersion: "v1", kind: "Node", name: node };
    const binding = { apiVersion: "v1", kind: "Binding", metadata: { name, namespace }, target };
    return this.#send("POST", `${pathOf(pod)}/binding`, how, binding);
  }

  /** A JSON merge patch, of the object or of one of its subresources. */
  merge(object: ApiObject, patch: unknown, how: How & { subresource?: string } = {}): Promise<Answer> {
    const path = `${pathOf(object)}${how.subresource === undefined ? "" : `/${how.subresource}`}`;
    return this.#send("PATCH", path, how, patch, "application/merge-patch+json");
  }

  /** Replaces one of the object's subresources. */
  replace(object: ApiObject, subresource: string, how: How = {}): Promise<Answer> {
    return this.#send("PUT", `${pathOf(object)}/${subresource}`, how, object);
  }

  remove(object: ApiObject, how: How = {}): Promise<Answer> {
    return this.#send("DELETE", pathOf(object), how);
  }

  #send(
    method: string,
    path: string,
    { dryRun = false, strict = false }: How,
    body?: unknown,
    type = "application/json",
  ): Promise<Answer> {
    const url = new URL(path, this.#server);
    if (dryRun) url.searchParams.set("dryRun", "All");
    if (strict) url.searchParams.set("fieldValidation", "Strict");
    return new Promise((resolve, reject) => {
      const headers = { ...this.#headers, "content-type": type };
      const call = request(url, { method, agent: this.#agent, headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("end", () => {
          const status = response.statusCode ?? 0;
          const text = Buffer.concat(chunks).toString();
          resolve({ status, message: status < 300 ? "" : messageOf(text) });
        });
      });
      call.on("error", reject);
      call.end(body === undefined ? undefined : JSON.stringify(body));
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}

function messageOf(text: string): string {
  try {
    return (JSON.parse(text) as { message?: string }).message ?? text;
  } catch {
    return text;
  }
}
