import type { PodPart } from "../common/pod-part.ts";
import { filled } from "../common/program.ts";
import { restrictedContainer } from "../common/security.ts";
import { frpcSh } from "../made/programs.ts";
import { frpcCaFile, frpcFile, frpcPath, frpcTokenFile, frpcTokenVariable } from "./toml.ts";

const run = "/run/frpc";

import type { FrpcHost } from "./plan.ts";

/**
 * frpc beside sshd, whichever container sshd runs in: a restartable init container, so that the pod keeps one
 * main container. It has no startup probe of its own, because sshd may be in the main container, which starts
 * only after this one, and because an frps that is away must not keep the container from starting.
 */
export function frpcPart({ frpc, ssh, imagePullPolicy }: FrpcHost): PodPart {
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

function startScript(mounted: string, sshdPort: number): string {
  return filled(frpcSh, {
    FILES: mounted,
    RUN: run,
    PORT: sshdPort.toString(16).toUpperCase().padStart(4, "0"),
    TOKEN: frpcTokenVariable,
    TOKEN_FILE: `${frpcPath}/${frpcTokenFile}`,
    CONFIGURATION: `${frpcPath}/${frpcFile}`,
  }).trimEnd();
}
