/** How sshd's files get into a pod: mounted, or copied at its start where users may mount. */
import { helperResources } from "../../kubernetes/resources.ts";
import { groupReadable, restrictedContainer } from "../../kubernetes/security.ts";
import { preparingShell } from "./bundle.ts";
import { idleSettings, sshdFiles } from "./files.ts";
import type { PodSshdPlan } from "./plan.ts";
import { hostKeyFile, nextHostKeyFile, sshdPaths } from "./sshd-config.ts";

// The start-up script is executed where it is mounted.
const executable = 0o555;

export function sshdVolumes(plan: PodSshdPlan) {
  const { volumes, initContainers } = plan.containersInside ? copiedFiles(plan) : mountedFiles(plan);
  const run = { name: "sshd-run", emptyDir: { medium: "Memory", sizeLimit: "1Mi" } };
  return {
    volumes: [...volumes, run],
    mounts: [
      { name: "sshd-config", mountPath: sshdPaths.config, readOnly: true },
      { name: "authorized-keys", mountPath: sshdPaths.authorizedKeys, readOnly: true },
      { name: "host-key", mountPath: sshdPaths.hostKeyMount, readOnly: true },
      { name: "sshd-run", mountPath: sshdPaths.run },
    ],
    initContainers,
  };
}

function mountedFiles({ names }: PodSshdPlan) {
  return {
    volumes: [
      { name: "sshd-config", configMap: { name: names.sshdConfig, defaultMode: executable } },
      { name: "authorized-keys", configMap: { name: names.authorizedKeys } },
      // The start script makes the private copy that sshd insists on.
      { name: "host-key", secret: { secretName: names.hostKey, defaultMode: groupReadable } },
    ],
    initContainers: [],
  };
}

/**
 * sshd's files with `containersInside`: an init container copies them once, at the start of the pod. It has them in its
 * environment, which the kubelet writes nowhere.
 *
 * The kubelet writes to the volumes of ConfigMaps, Secrets and tokens as root of the node, and follows links in them
 * (CVE-2017-1002102). Kubernetes mounts them read-only against that, and a user who may mount undoes it. The whole pod
 * shares a user namespace, so SYS_ADMIN in it reaches the mounts of every container: on Linux from 6.12 until a fix of
 * 2026 by an ioctl (NS_MNT_GET_NEXT) and setns. So no container of the pod has such a volume, and a change of keys makes
 * a new pod.
 */
function copiedFiles(plan: PodSshdPlan) {
  const { names, hostKey } = plan;
  const { userCa } = plan.ssh;
  const folders = [
    {
      name: "sshd-config",
      source: "configMapKeyRef",
      from: names.sshdConfig,
      files: Object.keys({ ...sshdFiles(plan), ...idleSettings(plan) }),
      mode: "555",
    },
    {
      name: "authorized-keys",
      source: "configMapKeyRef",
      from: names.authorizedKeys,
      files: ["authorized_keys", ...(userCa === undefined ? [] : ["user_ca_keys", "principals"])],
      mode: "444",
    },
    {
      name: "host-key",
      source: "secretKeyRef",
      from: names.hostKey,
      files: [hostKeyFile, ...(hostKey?.next === undefined ? [] : [nextHostKeyFile])],
      mode: "440",
    },
  ];
  const all = folders.flatMap(({ files, ...folder }) => files.map((file) => ({ ...folder, file })));
  const copies = all.map(({ name, file, mode }, index) => {
    const path = `/files/${name}/${file}`;
    return `printf %s "$FILE_${index}" >${path} && chmod ${mode} ${path}\n`;
  });
  const { shell, mounts } = preparingShell(plan);
  return {
    volumes: folders.map(({ name }) => ({ name, emptyDir: { medium: "Memory", sizeLimit: "1Mi" } })),
    initContainers: [
      {
        name: "sshd-files",
        image: plan.image,
        imagePullPolicy: plan.imagePullPolicy,
        command: [...shell, "-c", `set -eu\n${copies.join("")}`],
        env: all.map(({ source, from, file }, index) => ({
          name: `FILE_${index}`,
          valueFrom: { [source]: { name: from, key: file } },
        })),
        resources: helperResources,
        securityContext: { ...restrictedContainer, readOnlyRootFilesystem: true },
        volumeMounts: [...folders.map(({ name }) => ({ name, mountPath: `/files/${name}` })), ...mounts],
      },
    ],
  };
}
