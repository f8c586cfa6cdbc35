/**
 * sshd's files where one may mount inside: copied once, at the start of the pod.
 *
 * The kubelet goes on writing to the volume of a ConfigMap, Secret or token as root of the node, and follows the links
 * that it finds there. The volume is mounted read-only for that reason, which stops nobody who may mount
 * (CVE-2017-1002102). No other container of the pod may have such a volume either: the user namespace is the pod's, so
 * its SYS_ADMIN counts in the mounts of all of them, and on Linux from 6.12 until a fix of 2026 one gets hold of these by
 * an ioctl (NS_MNT_GET_NEXT) and setns. So the pod has none, and other keys are another pod.
 */
import { helperResources } from "../common/resources.ts";
import { restrictedContainer } from "../common/security.ts";
import { bundlePart, bundleShell } from "./bundle.ts";
import { hostKeyFiles } from "./host-key-secret.ts";
import type { PodSshdPlan } from "./plan.ts";
import { sshdConfigFiles } from "./sshd-config-map.ts";

interface Folder {
  /** Name of the volume that the files go to. */
  readonly name: string;
  readonly source: "configMapKeyRef" | "secretKeyRef";
  /** Name of the ConfigMap or Secret. */
  readonly from: string;
  readonly files: readonly string[];
  readonly mode: string;
}

function foldersOf(plan: PodSshdPlan): Folder[] {
  const { names, userCa } = plan;
  const keys = ["authorized_keys", ...(userCa === undefined ? [] : ["user_ca_keys", "principals"])];
  const of = (name: string, from: string, files: readonly string[], mode: string): Folder => ({
    name,
    from,
    files,
    mode,
    source: name === "host-key" ? "secretKeyRef" : "configMapKeyRef",
  });
  return [
    of("sshd-config", names.sshdConfig, sshdConfigFiles(plan), "555"),
    of("authorized-keys", names.authorizedKeys, keys, "444"),
    of("host-key", names.hostKey, hostKeyFiles(plan), "440"),
  ];
}

/** The volumes, and the container that fills them from its environment, which the kubelet writes nowhere. */
export function copiedFilesPart(plan: PodSshdPlan) {
  const folders = foldersOf(plan);
  const all = folders.flatMap(({ files, ...folder }) => files.map((file) => ({ ...folder, file })));
  const copies = all.map(({ name, file, mode }, index) => {
    const path = `/files/${name}/${file}`;
    return `printf %s "$FILE_${index}" >${path} && chmod ${mode} ${path}\n`;
  });
  const isInjected = plan.ssh.mode === "injected";
  const bundle = (isInjected && bundlePart(plan).mounts) || [];
  return {
    volumes: folders.map(({ name }) => ({ name, emptyDir: { medium: "Memory", sizeLimit: "1Mi" } })),
    initContainers: [
      {
        name: "sshd-files",
        image: plan.image,
        imagePullPolicy: plan.imagePullPolicy,
        command: [...(isInjected ? bundleShell : ["sh"]), "-c", `set -eu\n${copies.join("")}`],
        env: all.map(({ source, from, file }, index) => ({
          name: `FILE_${index}`,
          valueFrom: { [source]: { name: from, key: file } },
        })),
        resources: helperResources,
        securityContext: { ...restrictedContainer, readOnlyRootFilesystem: true },
        volumeMounts: [
          ...folders.map(({ name }) => ({ name, mountPath: `/files/${name}` })),
          ...bundle.filter(({ subPath }) => subPath === undefined),
        ],
      },
    ],
  };
}
