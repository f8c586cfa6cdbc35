/** When a node pulls an image. */
export const ImagePullPolicy = { always: "Always", ifNotPresent: "IfNotPresent", never: "Never" } as const;
export type ImagePullPolicy = (typeof ImagePullPolicy)[keyof typeof ImagePullPolicy];

/** Images of others, which a cluster pulls unless an argument names another one. */
export const publicImages = {
  frps: "fatedier/frps:v0.70.1",
  frpc: "fatedier/frpc:v0.70.1",
  dufs: "docker.io/sigoden/dufs:v0.47.0",
  envoy: "docker.io/envoyproxy/envoy:distroless-v1.40.0",
} as const;

/** Images of ours, which an argument has to name: a cluster pulls them from a registry of its own. */
export const ownImages = [
  "ghcr.io/drawbridge-iac/drawbridge/devcontainer:0.1.0",
  "ghcr.io/drawbridge-iac/drawbridge/sshd-bundle:0.1.0",
  "ghcr.io/drawbridge-iac/drawbridge/programs:0.1.0",
] as const;

export const imageInRegistry = (image: string, registry: string) =>
  `${registry}/${image.slice(image.lastIndexOf("/") + 1)}`;

/** What is wrong with what someone wrote for a registry, or nothing. */
export const registryFault = (text: string) =>
  /^[a-z0-9][\w.:/-]*[a-z0-9]$/.test(text) && !text.includes("//")
    ? undefined
    : `"${text}" is no registry; write it like registry.example.com/team, without https://`;

interface Pods {
  readonly spec?: { readonly template?: { readonly spec?: Readonly<Record<string, unknown>> } };
}

/** The object with the public images of its pods taken from this registry; an image that someone named stays. */
export function withRegistry<M extends object>(manifest: M, registry: string): M {
  const { template } = (manifest as Pods).spec ?? {};
  if (template?.spec === undefined) return manifest;
  const known: readonly unknown[] = Object.values(publicImages);
  const moved = (one: { readonly image?: unknown }) =>
    known.includes(one.image) ? { ...one, image: imageInRegistry(`${one.image}`, registry) } : one;
  const lists = Object.entries(template.spec).map(([name, value]) => [
    name,
    ["containers", "initContainers"].includes(name) && Array.isArray(value) ? value.map(moved) : value,
  ]);
  const { spec } = manifest as Pods;
  return { ...manifest, spec: { ...spec, template: { ...template, spec: Object.fromEntries(lists) } } };
}
