import type { Mount } from "../common/pod-part.ts";
import { restrictedContainer } from "../common/security.ts";
import { hostKeySources } from "./host-key.ts";
import { helperResources } from "./machine.ts";
import type { DevContainerPlan } from "./plan.ts";
import { bundlePart, bundleShell } from "./sshd-bundle.ts";
import { sshdPaths } from "./sshd-config.ts";
import { sshdConfigKeys } from "./sshd-config-map.ts";

// Readable by the pod's group; the start script makes the private copy that sshd insists on.
const groupReadable = 0o440;
// The start-up script is executed where it is mounted.
const executable = 0o555;

interface SshdVolumes {
  readonly volumes: Record<string, unknown>[];
  readonly mounts: Mount[];
  readonly initContainers: Record<string, unknown>[];
}

/** What every sshd needs mounted, wherever it comes from. */
export function sshdVolumes(plan: DevContainerPlan): SshdVolumes {
  const mounts = [
    { name: "sshd-config", mountPath: sshdPaths.config, readOnly: true },
    { name: "authorized-keys", mountPath: sshdPaths.authorizedKeys, readOnly: true },
    { name: "host-key", mountPath: sshdPaths.hostKeyMount, readOnly: true },
    { name: "sshd-run", mountPath: sshdPaths.run },
  ];
  const run = { name: "sshd-run", emptyDir: { medium: "Memory", sizeLimit: "1Mi" } };
  if (plan.containersInside) return { ...copied(plan), mounts, volumes: [...copied(plan).volumes, run] };
  return {
    volumes: [
      { name: "sshd-config", configMap: { name: plan.names.sshdConfig, defaultMode: executable } },
      { name: "authorized-keys", configMap: { name: plan.names.authorizedKeys } },
      { name: "host-key", secret: { secretName: plan.names.hostKey, defaultMode: groupReadable } },
      run,
    ],
    mounts,
    initContainers: [],
  };
}

/**
 * The same files, copied once. The kubelet goes on writing to the volume of a ConfigMap or Secret as root of the node and
 * follows the links in it; it is read-only for that reason, and who may mount could write there (CVE-2017-1002102). So a
 * pod in which one may mount has none of these volumes, and a change of keys is another pod.
 */
function copied(plan: DevContainerPlan): Pick<SshdVolumes, "volumes" | "initContainers"> {
  const { names, userCa } = plan;
  const keys = ["authorized_keys", ...(userCa === undefined ? [] : ["user_ca_keys", "principals"])];
  const folders = [
    {
      name: "sshd-config",
      kind: "configMapKeyRef",
      from: names.sshdConfig,
      files: sshdConfigKeys(plan),
      mode: "555",
    },
    {
      name: "authorized-keys",
      kind: "configMapKeyRef",
      from: names.authorizedKeys,
      files: keys,
      mode: "444",
    },
    { name: "host-key", kind: "secretKeyRef", from: names.hostKey, files: hostKeySources(plan), mode: "440" },
  ];
  const files = folders.flatMap(({ files, ...folder }) => files.map((file) => ({ ...folder, file })));
  const write = files.map(
    ({ name, file, mode }, index) =>
      `printf %s "$FILE_${index}" >/files/${name}/${file} && chmod ${mode} /files/${name}/${file}`,
  );
  const isInjected = plan.ssh.mode === "injected";
  const bundle = isInjected
    ? (bundlePart(plan).mounts ?? []).filter(({ subPath }) => subPath === undefined)
    : [];
  return {
    volumes: folders.map(({ name }) => ({ name, emptyDir: { medium: "Memory", sizeLimit: "1Mi" } })),
    initContainers: [
      {
        name: "files",
        image: plan.image,
        imagePullPolicy: plan.imagePullPolicy,
        command: [...(isInjected ? bundleShell : ["sh"]), "-c", `set -eu\n${write.join("\n")}\n`],
        env: files.map(({ kind, from, file }, index) => ({
          name: `FILE_${index}`,
          valueFrom: { [kind]: { name: from, key: file } },
        })),
        resources: helperResources,
        securityContext: restrictedContainer,
        volumeMounts: [...folders.map(({ name }) => ({ name, mountPath: `/files/${name}` })), ...bundle],
      },
    ],
  };
}
