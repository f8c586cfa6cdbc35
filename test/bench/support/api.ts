/** The Kubernetes API without a program's start in every call, for what is timed and for many objects. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fewAtOnce } from "../../../packages/cli/src/list/few-at-once.ts";
import type { Removal } from "../cleanup.ts";

/** An object of Kubernetes, as far as its address needs it. */
export interface KubeObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace: string };
}

/** A connection to the API server with this shell's kubeconfig. */
export class KubeApi {
  readonly #base: string;

  private constructor(base: string) {
    this.#base = base;
  }

  /** By way of `kubectl proxy`, which ends with the scenario. */
  static async start(later: (removal: Removal) => void): Promise<KubeApi> {
    const proxy = spawn("kubectl", ["proxy", "--port=0"], { stdio: ["ignore", "pipe", "inherit"] });
    later(async () => void proxy.kill());
    const [said] = (await once(proxy.stdout, "data")) as [Buffer];
    const address = /127\.0\.0\.1:\d+/.exec(said.toString())?.[0];
    if (address === undefined) throw new Error(`kubectl proxy did not start: ${said.toString().trim()}`);
    return new KubeApi(`http://${address}`);
  }

  create(object: KubeObject): Promise<string> {
    return this.send("POST", collectionOf(object), object);
  }

  async createAll(objects: readonly KubeObject[]): Promise<void> {
    await fewAtOnce(8, objects, (object) => this.create(object));
  }

  /** Changes an object: lists are replaced, fields merged. */
  merge(object: KubeObject, change: object): Promise<string> {
    return this.send("PATCH", `${collectionOf(object)}/${object.metadata.name}`, change);
  }

  remove(object: KubeObject): Promise<string> {
    return this.send("DELETE", `${collectionOf(object)}/${object.metadata.name}`);
  }

  /** Deletes every object of a kind in a namespace that carries this label, in one call. */
  removeAll(like: KubeObject, label: string): Promise<string> {
    return this.send("DELETE", `${collectionOf(like)}?labelSelector=${encodeURIComponent(label)}`);
  }

  get(path: string): Promise<string> {
    return this.send("GET", path);
  }

  /** As many bytes as an object has in storage: the API server answers with the same encoding, if it is asked for it. */
  async storedBytes(path: string): Promise<number> {
    const accept = "application/vnd.kubernetes.protobuf, application/json";
    const answer = await fetch(`${this.#base}${path}`, { headers: { accept } });
    const bytes = (await answer.arrayBuffer()).byteLength;
    if (!answer.ok) throw new Error(`GET ${path}: ${answer.status}`);
    return bytes;
  }

  async send(method: string, path: string, body?: object): Promise<string> {
    const type = method === "PATCH" ? "application/merge-patch+json" : "application/json";
    const answer = await fetch(`${this.#base}${path}`, {
      method,
      ...(body === undefined ? {} : { headers: { "content-type": type }, body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return text;
  }
}

/** @example /apis/networking.k8s.io/v1/namespaces/team-a/networkpolicies */
export function collectionOf({ apiVersion, kind, metadata }: KubeObject): string {
  const group = apiVersion.includes("/") ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  const plural = `${kind.toLowerCase()}s`.replace(/(?<![aeiou])ys$/, "ies");
  return `${group}/namespaces/${metadata.namespace}/${plural}`;
}
