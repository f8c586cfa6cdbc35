import type { ApiClient } from "./client.ts";
import type { KubeObject } from "./watch.ts";

interface ResourceList {
  resources: { name: string; kind: string; namespaced: boolean }[];
}

/** Applies objects of any kind, asking the server once per API version under which path they live. */
export class Applier {
  readonly #api: ApiClient;
  readonly #kinds = new Map<string, Promise<ResourceList>>();

  constructor(api: ApiClient) {
    this.#api = api;
  }

  /** Applies all objects at the same time; those that others depend on (namespaces, CRDs) go in an earlier call. */
  async applyAll(objects: readonly KubeObject[]): Promise<void> {
    await Promise.all(objects.map(async (object) => this.#api.apply(await this.#pathOf(object), object)));
  }

  async #pathOf(object: KubeObject): Promise<string> {
    const version = object.apiVersion ?? "";
    const base = version.includes("/") ? `/apis/${version}` : `/api/${version}`;
    const resource = (await this.#resources(base)).resources.find(
      ({ kind, name }) => kind === object.kind && !name.includes("/"),
    );
    if (resource === undefined) throw new Error(`the API server knows no kind ${object.kind} in ${version}`);
    const namespace = resource.namespaced ? `/namespaces/${object.metadata?.namespace ?? "default"}` : "";
    return `${base}${namespace}/${resource.name}/${object.metadata?.name}`;
  }

  #resources(base: string): Promise<ResourceList> {
    const known = this.#kinds.get(base) ?? this.#api.get<ResourceList>(base);
    this.#kinds.set(base, known);
    return known;
  }
}
