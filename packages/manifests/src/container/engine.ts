/** Containers inside the container: podman, whose API answers docker's own command too, started beside sshd. */
import type { DevContainerParsed } from "./args.ts";
import { sshdPaths } from "./sshd-config.ts";

/** Images, volumes and containers, on the volume of the persisted paths: an overlay cannot lie on the image's own. */
export const engineStorage = "/var/lib/containers";

/** Name of the script in sshd's ConfigMap. */
export const engineFile = "engine";

const socket = "/run/podman/podman.sock";

/** podman asks the engine instead of starting a second one as another user; docker's own builder needs a dockerd. */
export const engineEnvironment = { CONTAINER_HOST: `unix://${socket}`, DOCKER_BUILDKIT: "0" } as const;

/** What starts the engine before sshd, as root, in the background. */
export function engineStart(isRoot: boolean): string {
  return `${isRoot ? "sh" : "sudo -n sh"} ${sshdPaths.config}/${engineFile} </dev/null 2>&1 | sed 's/^/containers: /' &
`;
}

/**
 * What a pod without a right on its node asks for: no keyring and no pivot_root, which the runtime's seccomp profile
 * refuses, and no control groups, whose tree is read-only there. What the pod may use is the limit of all together. The
 * pod's own /sys, because the kernel lets nobody mount another where a part of it is hidden: `--privileged` would.
 */
const configuration = `[containers]
cgroups = "disabled"
keyring = false
log_driver = "k8s-file"
volumes = ["/sys:/sys:ro"]
[engine]
cgroup_manager = "cgroupfs"
events_logger = "file"
no_pivot_root = true
[network]
firewall_driver = "nftables"
`;

/** Ends never: an engine that ends is started again. */
export function engineScript({ user }: Pick<DevContainerParsed, "user">): string {
  return `#!/bin/sh
if ! command -v podman; then
  echo "the image has no podman; install podman, crun, netavark, aardvark-dns and nftables in it" >&2
  exit 1
fi
# Where root logs in, this has the environment by which sessions find the engine.
unset CONTAINER_HOST
mkdir -p /etc/containers/containers.conf.d ${socket.replace(/\/[^/]*$/, "")}
cat >/etc/containers/containers.conf.d/50-drawbridge.conf <<'END'
${configuration}END
# Networks need sysctls of the pod's own; those of the node belong to users that are nobody here.
! mountpoint -q /proc/sys || mount -o remount,bind,rw /proc/sys
echo 1 >/proc/sys/net/ipv4/ip_forward
# It is told once a command where the node has control groups of the old version.
export PODMAN_IGNORE_CGROUPSV1_WARNING=1
ln -sf ${socket} /run/docker.sock
podman start --all --filter restart-policy=always
while :; do
  rm -f ${socket}
  podman system service --time=0 unix://${socket} &
  until [ -S ${socket} ] || ! kill -0 $! 2>/dev/null; do sleep 0.1; done
  chown ${user.uid}:${user.gid} ${socket}
  wait $!
  echo "the engine ended with $?"
  sleep 1
done
`;
}
