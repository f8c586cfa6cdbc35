/** What a pod needs for frpc: its container, its volumes, and what it must reach. */

import { frpcSh } from "../../generated/programs.ts";
import { type Input, whenKnown } from "../../kit/input.ts";
import { filled } from "../../kit/program.ts";
import type { ImagePullPolicy } from "../../kubernetes/images.ts";
import type { Container, Volume } from "../../kubernetes/kinds.ts";
import { selectorLabels } from "../../kubernetes/labels.ts";
import { podsOf, tcp } from "../../kubernetes/network-policy.ts";
import type { PodPart } from "../../kubernetes/pod.ts";
import { groupReadable, restrictedContainer } from "../../kubernetes/security.ts";
import { frpsPorts } from "../ways/frp.ts";
import type { FrpcHost, FrpcPlan } from "./plan.ts";
import { frpcCaFile, frpcFile, frpcPath, frpcTokenFile, frpcTokenVariable } from "./toml.ts";

const run = "/run/frpc";

/**
 * frpc beside sshd, whichever container sshd runs in: a restartable init container, so that the pod keeps one
 * main container. It has no startup probe of its own, because sshd may be in the main container, which starts
 * only after this one, and because an frps that is away must not keep the container from starting.
 */
export function frpcPart({
  frpc,
  ssh,
  imagePullPolicy,
}: FrpcHost & { readonly imagePullPolicy: Input<ImagePullPolicy> }): PodPart {
  if (frpc === undefined) return {};
  const container = frpcContainer(frpc, imagePullPolicy, ssh.port);
  return { volumes: frpcVolumes(frpc), initContainers: [{ ...container, restartPolicy: "Always" }] };
}

export function frpcVolumes(frpc: FrpcPlan): Volume[] {
  return [
    {
      name: "frpc",
      projected: {
        defaultMode: groupReadable,
        sources: [{ configMap: { name: frpc.configMap } }, { secret: { name: frpc.secret } }],
      },
    },
    { name: "frpc-run", emptyDir: { medium: "Memory", sizeLimit: "1Mi" } },
  ];
}

/** @param sshdPort of an sshd in the same pod, which is waited for */
export function frpcContainer(
  frpc: FrpcPlan,
  imagePullPolicy: Input<ImagePullPolicy>,
  sshdPort?: Input<number>,
): Container {
  return {
    name: "frpc",
    image: frpc.image,
    imagePullPolicy,
    command: ["/bin/sh", "-c", whenKnown(sshdPort ?? 0, (port) => startScript(frpc, port))],
    resources: { requests: { cpu: "10m", memory: "32Mi" }, limits: { memory: "128Mi" } },
    securityContext: { ...restrictedContainer, readOnlyRootFilesystem: true },
    volumeMounts: [
      { name: "frpc", mountPath: frpcPath, readOnly: true },
      { name: "frpc-run", mountPath: run },
    ],
  };
}

function startScript({ caBundle }: FrpcPlan, sshdPort: number): string {
  const files = [frpcFile, frpcTokenFile, ...(caBundle === undefined ? [] : [frpcCaFile])];
  return filled(frpcSh, {
    FILES: files.map((file) => `${frpcPath}/${file}`).join(" "),
    RUN: run,
    BESIDE: sshdPort > 0,
    // As /proc/net/tcp writes it.
    PORT: sshdPort.toString(16).toUpperCase().padStart(4, "0"),
    TOKEN: frpcTokenVariable,
    TOKEN_FILE: `${frpcPath}/${frpcTokenFile}`,
    CONFIGURATION: `${frpcPath}/${frpcFile}`,
  }).trimEnd();
}

/**
 * What a container must reach for frpc: the pods of the FrpServer. An frps elsewhere is reached as the internet
 * is, or by `egress.allow` where it has a private address.
 */
export function frpcEgress(frpc: FrpcPlan | undefined) {
  if (frpc?.authorizer === undefined) return [];
  const { namespace, serviceAccountName } = frpc.authorizer;
  // The service account is named after the server.
  const server = podsOf(namespace, selectorLabels("frp-server", serviceAccountName));
  return [{ to: [server], ports: tcp(frpsPorts.server) }];
}
