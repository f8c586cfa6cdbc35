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
 * Lets an unprivileged process listen on a port below 1024. The sysctl belongs to the pod's own network
 * namespace and is on Kubernetes' list of safe ones, allowed under "restricted".
 */
export function lowPortSysctls(ports: readonly number[]): { name: string; value: string }[] {
  const lowest = Math.min(...ports);
  return lowest < 1024 ? [{ name: "net.ipv4.ip_unprivileged_port_start", value: String(lowest) }] : [];
}
