#!/bin/sh
## Containers inside the container: podman, beside sshd. Ends never: an engine that ends is started again.
if ! command -v podman; then
  echo "the image has no podman; install podman, crun, netavark, aardvark-dns and nftables in it" >&2
  exit 1
fi
# Where root logs in, this has the environment by which sessions find the engine.
unset CONTAINER_HOST
mkdir -p /etc/containers/containers.conf.d @SOCKET_FOLDER@
## What a pod without a right on its node asks for: no keyring and no pivot_root, which the runtime's seccomp profile
## refuses, and no control groups, whose tree is read-only there. What the pod may use is the limit of all together. The
## pod's own /sys, because the kernel lets nobody mount another where a part of it is hidden: `--privileged` would.
cat >/etc/containers/containers.conf.d/50-drawbridge.conf <<'END'
[containers]
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
END
# Networks need sysctls of the pod's own; those of the node belong to users that are nobody here.
! mountpoint -q /proc/sys || mount -o remount,bind,rw /proc/sys
echo 1 >/proc/sys/net/ipv4/ip_forward
# It is told once a command where the node has control groups of the old version.
export PODMAN_IGNORE_CGROUPSV1_WARNING=1
ln -sf @SOCKET@ /run/docker.sock
podman start --all --filter restart-policy=always
while :; do
  rm -f @SOCKET@
  podman system service --time=0 unix://@SOCKET@ &
  until [ -S @SOCKET@ ] || ! kill -0 $! 2>/dev/null; do sleep 0.1; done
  chown @UID@:@GID@ @SOCKET@
  wait $!
  echo "the engine ended with $?"
  sleep 1
done
