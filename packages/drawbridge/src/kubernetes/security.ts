import { type Input, ifThere, whenAllKnown } from "../kit/input.ts";
import type { SecurityContext } from "./kinds.ts";
import { compact } from "./manifest.ts";

/** What Pod Security "restricted" asks of every container. */
export const restrictedContainer = {
  allowPrivilegeEscalation: false,
  capabilities: { drop: ["ALL"] },
} satisfies SecurityContext;

/** What Pod Security "restricted" asks of a pod that runs as `uid` and owns its volumes by `gid`. */
export function restrictedPod<Id extends Input<number>>(uid: Id, gid: Id) {
  return {
    runAsNonRoot: true,
    runAsUser: uid,
    runAsGroup: gid,
    fsGroup: gid,
    // Without this the kubelet walks every file of the volume at each start.
    fsGroupChangePolicy: "OnRootMismatch",
    seccompProfile: { type: "RuntimeDefault" },
  } as const;
}

/** The pod of a program of ours that writes nothing: any unprivileged user will do. */
export const programPod = restrictedPod(65532, 65532);

/**
 * The runtime's own capabilities without raw packets, by which root would answer for the addresses of other pods on the
 * node's bridge, and pass for the gateway.
 */
const rootCapabilities = { drop: ["NET_RAW"] };

/**
 * For a container whose root is nobody on its node: root's capabilities, and programs that hand them out, such as sudo.
 * Only for pods with `hostUsers: false`.
 */
export const rootContainer = {
  allowPrivilegeEscalation: true,
  capabilities: rootCapabilities,
} satisfies SecurityContext;

/** For a container that only prepares a pod, as root: no program in it gains a right. */
export const rootHelper = { ...rootContainer, allowPrivilegeEscalation: false } satisfies SecurityContext;

/**
 * Further ones for programs that start containers: mounts and namespaces, networks, and processes of other users. They
 * count in the pod's own namespaces alone, so only with `hostUsers: false`.
 */
export const engineCapabilities = ["NET_ADMIN", "SYS_ADMIN", "SYS_PTRACE"] as const;

/**
 * For a container in which others are started. The runtime's AppArmor profile would refuse every mount.
 * Without it nothing else opens: the kernel's files that it guards belong to users that are nobody in the pod.
 */
export const engineContainer = {
  ...rootContainer,
  capabilities: { ...rootCapabilities, add: [...engineCapabilities] },
  appArmorProfile: { type: "Unconfined" },
} satisfies SecurityContext;

/** A pod in a user namespace of its own: uid 0 inside is an unprivileged uid of the node, which no other pod has. */
export function rootPod(uid: Input<number>, gid: Input<number>) {
  const { runAsNonRoot: _, ...rest } = restrictedPod(uid, gid);
  return rest;
}

/**
 * Sysctls of the pod's own namespaces that Kubernetes calls safe.
 * Source: https://kubernetes.io/docs/concepts/security/pod-security-standards/#baseline
 */
export const safeSysctls: readonly string[] = [
  "kernel.shm_rmid_forced",
  "net.ipv4.ip_local_port_range",
  "net.ipv4.ip_local_reserved_ports",
  "net.ipv4.ip_unprivileged_port_start",
  "net.ipv4.ping_group_range",
  "net.ipv4.tcp_fin_timeout",
  "net.ipv4.tcp_keepalive_intvl",
  "net.ipv4.tcp_keepalive_probes",
  "net.ipv4.tcp_keepalive_time",
  "net.ipv4.tcp_rmem",
  "net.ipv4.tcp_syncookies",
  "net.ipv4.tcp_wmem",
];

/** Lets every group of a pod with users of its own ping without raw packets. */
export const pingSysctl = { name: "net.ipv4.ping_group_range", value: "0 65535" } as const;

/**
 * Lets an unprivileged process listen on a port below 1024. The sysctl belongs to the pod's own network
 * namespace and is on Kubernetes' list of safe ones, allowed under "restricted".
 */
function lowPortSysctls(ports: readonly number[]): Sysctl[] {
  const lowest = Math.min(...ports);
  return lowest < 1024 ? [{ name: "net.ipv4.ip_unprivileged_port_start", value: String(lowest) }] : [];
}

/**
 * The sysctls of a pod, as a part of its security context: those for ports below 1024 and further ones. No list where there
 * are none.
 */
export const lowPorts = (ports: readonly Input<number>[], before: Sysctl[] = [], behind: Sysctl[] = []) =>
  compact({
    sysctls: ifThere(
      whenAllKnown(ports, (known) => {
        const sysctls = [...before, ...(known.length === 0 ? [] : lowPortSysctls(known)), ...behind];
        return sysctls.length > 0 ? sysctls : undefined;
      }),
    ),
  });

export interface Sysctl {
  name: string;
  value: string;
}

/** Mode of a mounted secret: the pod's group may read it, and nobody else. */
export const groupReadable = 0o440;
