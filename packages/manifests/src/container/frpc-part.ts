import type { PodPart } from "../common/pod-part.ts";
import { restrictedContainer } from "../common/security.ts";
import { frpcCaFile, frpcFile, frpcPath, frpcTokenFile, frpcTokenVariable } from "./frpc-toml.ts";
import type { DevContainerPlan } from "./plan.ts";

const run = "/run/frpc";

/**
 * frpc beside sshd, whichever container sshd runs in: a restartable init container, so that the pod keeps one
 * main container. It has no startup probe of its own, because sshd may be in the main container, which starts
 * only after this one, and because an frps that is away must not keep the container from starting.
 */
export function frpcPart({ frpc, ssh, imagePullPolicy }: DevContainerPlan): PodPart {
  if (frpc === undefined) return {};
  const files = [frpcFile, frpcTokenFile, ...(frpc.caBundle === undefined ? [] : [frpcCaFile])];
  const mounted = files.map((file) => `${frpcPath}/${file}`).join(" ");
  return {
    volumes: [
      {
        name: "frpc",
        projected: {
          defaultMode: 0o440,
          sources: [{ configMap: { name: frpc.configMap } }, { secret: { name: frpc.secret } }],
        },
      },
      { name: "frpc-run", emptyDir: { medium: "Memory", sizeLimit: "1Mi" } },
    ],
    initContainers: [
      {
        name: "frpc",
        image: frpc.image,
        imagePullPolicy,
        restartPolicy: "Always",
        command: ["/bin/sh", "-c", startScript(mounted, ssh.port)],
        resources: { requests: { cpu: "10m", memory: "32Mi" }, limits: { memory: "128Mi" } },
        securityContext: { ...restrictedContainer, readOnlyRootFilesystem: true },
        volumeMounts: [
          { name: "frpc", mountPath: frpcPath, readOnly: true },
          { name: "frpc-run", mountPath: run },
        ],
      },
    ],
  };
}

/**
 * Waits for sshd by the kernel's table: connecting would leave lines in sshd's log and earn penalties. Ends when the
 * kubelet has mounted another token, server or CA, so that frpc alone restarts with it. A liveness probe would do so
 * too, but also whenever the node is too busy to run it in time, and cut the sessions.
 */
function startScript(mounted: string, sshdPort: number): string {
  const port = sshdPort.toString(16).toUpperCase().padStart(4, "0");
  return [
    `cat ${mounted} >${run}/started-with`,
    `until grep -qs ':${port} [0-9A-F]*:0000 0A ' /proc/net/tcp /proc/net/tcp6; do sleep 0.2; done`,
    `${frpcTokenVariable}="$(cat ${frpcPath}/${frpcTokenFile})" frpc -c ${frpcPath}/${frpcFile} &`,
    "frpc=$!",
    "trap 'kill $frpc; wait $frpc; exit 0' TERM INT",
    `while kill -0 $frpc 2>/dev/null && cat ${mounted} | cmp -s - ${run}/started-with; do sleep 5 & wait $!; done`,
  ].join("\n");
}
