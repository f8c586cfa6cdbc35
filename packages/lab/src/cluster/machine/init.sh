#!/bin/sh
## The first program of a machine: what systemd would do for a node, at a tenth of its instructions.
set -eu
export PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root
mount -t proc proc /proc
modprobe -a virtio_net overlay tun
mount --all
mount --make-rshared /
read -r controllers < /sys/fs/cgroup/cgroup.controllers
for controller in $controllers; do echo "+$controller" > /sys/fs/cgroup/cgroup.subtree_control; done
# shellcheck disable=SC3045
ulimit -n 1048576
read -r uptime _ < /proc/uptime
echo "the supervisor begins $uptime s after the kernel"
exec tini -- node --disable-warning=ExperimentalWarning "@SUPERVISOR@" "@PLAN@" "@NAME@"
