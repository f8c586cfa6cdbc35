/** What Pod Security "restricted" asks of every container. */
export const restrictedContainer = {
  allowPrivilegeEscalation: false,
  capabilities: { drop: ["ALL"] },
} as const;

/** What Pod Security "restricted" asks of a pod that runs as `uid` and owns its volumes by `gid`. */
export function restrictedPod(uid: number, gid: number) {
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

/**
 * What a container asks whose root is nobody on its node: the runtime's own capabilities, and programs that hand them
 * out, such as sudo. Only for pods with `hostUsers: false`.
 */
export const rootContainer = { allowPrivilegeEscalation: true } as const;

/** A pod in a user namespace of its own: uid 0 inside is an unprivileged uid of the node, which no other pod has. */
export function rootPod(uid: number, gid: number) {
  const { runAsNonRoot: _, ...rest } = restrictedPod(uid, gid);
  return rest;
}

/**
 * Lets an unprivileged process listen on a port below 1024. The sysctl belongs to the pod's own network
 * namespace and is on Kubernetes' list of safe ones, allowed under "restricted".
 */
export function lowPortSysctls(ports: readonly number[]): { name: string; value: string }[] {
  const lowest = Math.min(...ports);
  return lowest < 1024 ? [{ name: "net.ipv4.ip_unprivileged_port_start", value: String(lowest) }] : [];
}
