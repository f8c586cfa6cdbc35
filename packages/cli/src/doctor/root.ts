/** What root inside a container needs of a cluster (docs/root.md), as far as its API server tells. */
import { isForbidden, type Kube } from "../sshpod/kube.ts";
import type { Requirement } from "./finding.ts";

interface Version {
  readonly major: string;
  readonly minor: string;
}

interface Node {
  readonly metadata: { readonly name: string };
  readonly status: {
    readonly nodeInfo: { readonly kernelVersion: string; readonly containerRuntimeVersion: string };
    /** What the node's runtime can do, by its kubelet. */
    readonly runtimeHandlers?: readonly {
      readonly name?: string;
      readonly features?: { readonly userNamespaces?: boolean };
    }[];
  };
}

export interface StorageClass {
  readonly metadata: { readonly name: string; readonly annotations?: Readonly<Record<string, string>> };
  readonly provisioner: string;
}

const oldest = { kubernetes: "1.33", kernel: "6.3", containerd: "2.0", "cri-o": "1.25" } as const;

/** A version's first two numbers as one, by which versions sort. */
function order(version: string): number {
  const [, major = "0", minor = "0"] = /(\d+)\.(\d+)/.exec(version) ?? [];
  return Number(major) * 1000 + Number(minor);
}

export function versionRequirement({ major, minor }: Version): Requirement {
  const version = `${major}.${minor}`;
  const ok = order(version) >= order(oldest.kubernetes);
  return {
    step: "API server",
    ok,
    text: ok
      ? `Kubernetes ${version}`
      : `Kubernetes ${version} drops hostUsers unless its feature gate UserNamespacesSupport is on; upgrade to ${oldest.kubernetes} or later`,
  };
}

export function nodeRequirement({ metadata, status }: Node): Requirement {
  const { kernelVersion, containerRuntimeVersion } = status.nodeInfo;
  const [runtime = "", version = ""] = containerRuntimeVersion.split("://");
  const least = runtime === "containerd" || runtime === "cri-o" ? oldest[runtime] : undefined;
  const handler = status.runtimeHandlers?.find(({ name }) => (name ?? "") === "");
  const missing = [
    ...(order(kernelVersion) < order(oldest.kernel)
      ? [
          `its kernel ${kernelVersion} has no idmapped mounts of tmpfs; take a node image with Linux ${oldest.kernel} or later`,
        ]
      : []),
    ...(least !== undefined && order(version) < order(least)
      ? [`its runtime ${runtime} ${version} has no user namespaces; take ${runtime} ${least} or later`]
      : []),
    ...(least === undefined
      ? [`nothing is known here about its runtime ${containerRuntimeVersion}; try one pod`]
      : []),
    // An older kubelet leaves it out. Under runc before 1.2 it is false.
    ...(handler?.features?.userNamespaces === false
      ? ["its kubelet says that the runtime has no user namespaces; take runc 1.2, crun 1.9 or later"]
      : []),
  ];
  return {
    step: `node ${metadata.name}`,
    ok: missing.length === 0,
    text: missing.length === 0 ? `Linux ${kernelVersion}, ${runtime} ${version}` : missing.join("; "),
  };
}

const networkFileSystems = /nfs|efs\.csi\.aws|filestore|file\.csi\.azure|smb|gluster/;

/** The cluster's default class, which a home that names none gets. */
export function storageRequirement(classes: readonly StorageClass[]): Requirement[] {
  const chosen = classes.find(
    ({ metadata }) => metadata.annotations?.["storageclass.kubernetes.io/is-default-class"] === "true",
  );
  if (chosen === undefined) return [];
  const ok = !networkFileSystems.test(chosen.provisioner);
  return [
    {
      step: `StorageClass ${chosen.metadata.name}`,
      ok,
      text: ok
        ? chosen.provisioner
        : `volumes of ${chosen.provisioner} are of a network file system, which mostly has no idmapped mounts; set home.storageClassName to one with a disk`,
    },
  ];
}

export async function rootRequirements(kube: Kube): Promise<Requirement[]> {
  const version = versionRequirement(await kube.get<Version>("/version"));
  const nodes = await listed<Node>(kube, "nodes", "/api/v1/nodes");
  const classes = await listed<StorageClass>(
    kube,
    "StorageClasses",
    "/apis/storage.k8s.io/v1/storageclasses",
  );
  return [
    version,
    ...("refused" in nodes ? [nodes.refused] : nodes.items.map(nodeRequirement)),
    ...("refused" in classes ? [classes.refused] : storageRequirement(classes.items)),
  ];
}

async function listed<T>(
  kube: Kube,
  step: string,
  path: string,
): Promise<{ readonly items: readonly T[] } | { readonly refused: Requirement }> {
  try {
    return await kube.get<{ items: T[] }>(path);
  } catch (error) {
    if (!isForbidden(error)) throw error;
    const text = "this account may not list them; ask the platform team to run drawbridge doctor --root";
    return { refused: { step, ok: false, text } };
  }
}
