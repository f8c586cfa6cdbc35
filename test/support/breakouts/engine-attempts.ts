/**
 * What root may try where it may start containers inside: what it tries elsewhere, without what an engine needs, and what
 * the rights to mount, to route and to trace make possible.
 */
import {
  type Attempt,
  attempts,
  cgroupTree,
  type Doors,
  denied,
  deniedOrNotThere,
  python,
} from "./root-attempts.ts";

/** What an engine needs, in namespaces of the pod's own: these work, and lead nowhere by themselves. */
export const allowedInside: readonly string[] = [
  "mounting a tmpfs",
  "mounting a proc of its own",
  "mounting its own root a second time",
  "unshare --user --map-root-user",
  "unshare --mount",
  "unshare --user --mount --pid --fork",
  "the namespaces of process 1",
  "writing /proc/sys/net/ipv4/ip_forward",
];

/** Tried in another way below; or it works here, and leaves a pod to which nobody can log in. */
const leftOut = [
  "mounting an overlay",
  "mounting the keys' folder writable",
  "the system call bpf",
  "the system call perf_event_open",
  "the system call setns",
  "another host name",
  "another address",
];

const ownProc = "mkdir -p /mnt/proc && mount -t proc none /mnt/proc";

/** Writes a kernel file's own content back to it, in a proc of its own, which hides nothing. */
const unmasked = (path: string): Attempt => ({
  name: `/proc/${path} in a proc of its own`,
  attempt: `${ownProc} && value=$(cat /mnt/proc/${path}) && echo "$value" >/mnt/proc/${path}`,
  refused: deniedOrNotThere,
  twin: `${ownProc} && echo 1 >/mnt/proc/sys/net/ipv4/ip_forward`,
});

/** The same in the mount that the runtime made, which root may make writable. */
const writable = (mount: string, path: string): Attempt => ({
  name: `${mount}/${path}, made writable`,
  attempt: `mount -o remount,bind,rw ${mount} && value=$(cat ${mount}/${path}) && echo "$value" >${mount}/${path}`,
  refused: denied,
  twin: "mount -o remount,bind,rw /proc/sys && cat /proc/sys/net/ipv4/ip_forward >/dev/null",
});

/** An ioctl on one of its own namespaces. */
const namespaceOf = (name: string, file: string, request: string, twin: string): Attempt => ({
  name,
  attempt: python(`import fcntl, os\nfcntl.ioctl(os.open("/proc/self/ns/${file}", os.O_RDONLY), ${request})`),
  refused: denied,
  twin: python(`import fcntl, os\nfcntl.ioctl(os.open("/proc/self/ns/${file}", os.O_RDONLY), ${twin})`),
});

// NS_GET_USERNS and NS_GET_PARENT; the type of a namespace is told to everybody (NS_GET_NSTYPE).
const [owner, parent, type] = ["0xb701", "0xb702", "0xb703"];

/** Goes through every mount namespace that the kernel gives out and looks for what the kubelet writes to. */
const otherMounts = python(`import ctypes, fcntl, os, struct, sys
setns = ctypes.CDLL(None, use_errno=True).setns
def written():
    text = open("/proc/self/mountinfo").read()
    return [kind for kind in ("configmap", "secret", "projected", "downward-api") if "kubernetes.io~" + kind in text]
found = written()
for step in (11, 12):
    namespace = os.open("/proc/self/ns/mnt", os.O_RDONLY)
    while True:
        try:
            namespace = fcntl.ioctl(namespace, 2 << 30 | 16 << 16 | 0xb7 << 8 | step, bytearray(struct.pack("IIQ", 16, 0, 0)))
        except OSError as error:
            reason = error.strerror
            break
        if setns(namespace, 0x20000) == 0:
            found += written()
if not found:
    sys.exit("no mount that the kubelet writes to: " + reason)`);

const syscallInside = (name: string, [x64, arm64]: readonly [number, number], args: string): Attempt => ({
  name: `the system call ${name}, in a user namespace below its own`,
  attempt: `unshare --user --map-root-user ${call(x64, arm64, args)}`,
  refused: /Operation not permitted|Function not implemented/,
  twin: `unshare --user --map-root-user ${call(39, 172, "")}`,
});

/** A system call with a packed structure in `buffer`. */
const withStruct = ([x64, arm64]: readonly [number, number], format: string, values: string, args: string) =>
  python(`import ctypes, os, platform, struct, sys
number = ${arm64} if platform.machine() == "aarch64" else ${x64}
buffer = ctypes.create_string_buffer(struct.pack("${format}", ${values}), 128)
if ctypes.CDLL(None, use_errno=True).syscall(number, ${args}) < 0:
    sys.exit(os.strerror(ctypes.get_errno()))`);

function call(x64: number, arm64: number, args: string): string {
  return python(`import ctypes, os, platform, sys
number = ${arm64} if platform.machine() == "aarch64" else ${x64}
if ctypes.CDLL(None, use_errno=True).syscall(${["number", args].filter(Boolean).join(", ")}) < 0:
    sys.exit(os.strerror(ctypes.get_errno()))`);
}

const device = (name: string, major: number, minor: number): Attempt => ({
  name: `the device ${name} on a disk of its own`,
  attempt: `mkdir -p /mnt/dev && mount -t tmpfs -o dev none /mnt/dev && mknod /mnt/dev/${name} b ${major} ${minor}`,
  refused: denied,
  twin: `mkdir -p /mnt/dev && mount -t tmpfs -o dev none /mnt/dev && mknod /mnt/dev/${name} p`,
});

export function engineAttempts(doors: Doors): Attempt[] {
  const privileged = (script: string) => `podman run --rm --privileged ${script}`;
  return [
    ...attempts(doors).filter(({ name }) => ![...allowedInside, ...leftOut].includes(name)),
    {
      name: "a mount that the kubelet writes to, its own or of another container of the pod",
      attempt: otherMounts,
      refused: /no mount that the kubelet writes to/,
      twin: "grep -q ' /etc/drawbridge/authorized-keys .* - tmpfs ' /proc/self/mountinfo",
    },
    {
      name: "a program of the kernel's own (bpf)",
      // BPF_MAP_CREATE of an array with one entry.
      attempt: withStruct([321, 280], "<IIII112x", "2, 4, 4, 1", "0, buffer, 128"),
      refused: denied,
      twin: call(39, 172, ""),
    },
    {
      name: "events of all processes of the node",
      // PERF_TYPE_SOFTWARE, of every process on the first processor.
      attempt: withStruct([298, 241], "<IIQ112x", "1, 128, 0", "buffer, -1, 0, -1, 0"),
      refused: denied,
      twin: call(39, 172, ""),
    },
    namespaceOf("the user namespace above its own", "user", parent, type),
    namespaceOf("the process namespace above its own", "pid", parent, owner),
    ...["sys/kernel/core_pattern", "sys/kernel/modprobe", "sys/kernel/panic", "sys/fs/file-max"].map(
      unmasked,
    ),
    {
      name: "/proc/sysrq-trigger in a proc of its own",
      attempt: `${ownProc} && echo h >/mnt/proc/sysrq-trigger`,
      refused: deniedOrNotThere,
      twin: `${ownProc} && test -e /mnt/proc/sys`,
    },
    {
      name: "the node's memory in a proc of its own",
      attempt: `${ownProc} && head -c 1 /mnt/proc/kcore`,
      refused: deniedOrNotThere,
      twin: `${ownProc} && head -c 1 /mnt/proc/meminfo`,
    },
    {
      name: "the kernel's log in a proc of its own",
      attempt: `${ownProc} && timeout 3 head -c 1 /mnt/proc/kmsg`,
      refused: denied,
      twin: `${ownProc} && timeout 3 head -c 1 /mnt/proc/stat`,
    },
    {
      name: "a sysfs of its own",
      attempt: "mkdir -p /mnt/sysfs && mount -t sysfs none /mnt/sysfs",
      refused: /too revealing|not permitted|permission denied/i,
      twin: "mkdir -p /mnt/sysfs && mount --rbind /sys /mnt/sysfs && umount -l /mnt/sysfs",
    },
    {
      name: "any file of /sys that can be written",
      attempt: `mount -o remount,bind,rw /sys && find /sys -xdev -type f -writable 2>/dev/null | grep . || { echo 'not permitted: none' >&2; false; }`,
      refused: /not permitted: none/,
      twin: "mount -o remount,bind,rw /sys && find /sys -xdev -type f -readable 2>/dev/null | grep -q .",
    },
    {
      name: "any sysctl that can be written, but for those of its namespaces",
      attempt: `mount -o remount,bind,rw /proc/sys && find /proc/sys -type f -writable 2>/dev/null | grep -Ev '^/proc/sys/(net|user|fs/mqueue)/|^/proc/sys/kernel/(shm|msg|sem|auto_msgmni|hostname|domainname|ns_last_pid|pid_max)' || { echo 'not permitted: none' >&2; false; }`,
      refused: /not permitted: none/,
      twin: "mount -o remount,bind,rw /proc/sys && test -w /proc/sys/net/ipv4/ip_forward",
    },
    writable("/proc/sys", "kernel/core_pattern"),
    writable("/proc/sys", "vm/overcommit_memory"),
    {
      name: "a cgroup, where the tree is made writable",
      attempt: `mount -o remount,bind,rw /sys/fs/cgroup 2>/dev/null; for tree in $(awk '$3 ~ /^cgroup/ { print $2 }' /proc/self/mounts); do mount -o remount,bind,rw $tree; mkdir $tree/own && exit 0; done; false`,
      refused: denied,
      twin: "awk '$3 ~ /^cgroup/ { print $2 }' /proc/self/mounts | grep .",
    },
    {
      name: "the program that the kernel starts when a cgroup ends",
      attempt: `mkdir -p /mnt/cgroup && ${cgroupTree("/mnt/cgroup")} && echo /tmp/x >/mnt/cgroup/release_agent`,
      refused: denied,
      twin: "mkdir -p /mnt/cgroup && mount -t tmpfs none /mnt/cgroup && echo /tmp/x >/mnt/cgroup/release_agent; code=$?; umount /mnt/cgroup; exit $code",
    },
    {
      name: "a cgroup tree in a cgroup namespace of its own",
      attempt: `unshare --cgroup --mount sh -c 'mount -t cgroup2 none /mnt && mkdir /mnt/own'`,
      refused: denied,
      twin: "unshare --cgroup --mount sh -c 'mount -t tmpfs none /mnt && mkdir /mnt/own'",
    },
    ...["ext4", "xfs", "squashfs"].map(
      (kind): Attempt => ({
        name: `an image of ${kind} that it made itself`,
        attempt: `truncate -s 64M /tmp/image && mkdir -p /mnt/image && mount -t ${kind} -o loop /tmp/image /mnt/image`,
        refused: /failed to setup loop device|not permitted|permission denied|No such (file|device)/i,
        twin: "truncate -s 64M /tmp/image && mkdir -p /mnt/image && mount -t tmpfs none /mnt/image",
      }),
    ),
    {
      name: "file systems of the kernel's own",
      attempt:
        "mkdir -p /mnt/k; for kind in debugfs tracefs securityfs configfs pstore; do mount -t $kind none /mnt/k && ls /mnt/k && exit 0; done; false",
      refused: /not permitted|permission denied|unknown filesystem|No such device/i,
      twin: "mkdir -p /mnt/k && mount -t tmpfs none /mnt/k && ls /mnt/k",
    },
    device("sda", 8, 0),
    device("vda", 254, 0),
    {
      name: "an id of the node's in a user namespace below its own",
      attempt: `unshare --user sleep 20 & child=$!; sleep 1; echo '0 65536 1' >/proc/$child/uid_map; code=$?; kill $child; exit $code`,
      refused: /not permitted|Invalid argument|I\/O error/,
      twin: `unshare --user sleep 20 & child=$!; sleep 1; echo '0 1000 1' >/proc/$child/uid_map; code=$?; kill $child; exit $code`,
    },
    syscallInside("open_by_handle_at", [304, 265], "-100, 0, 0"),
    syscallInside("keyctl", [250, 219], "0, -3, 1"),
    syscallInside("init_module", [175, 105], "0, 0, 0"),
    syscallInside("kexec_load", [246, 104], "0, 0, 0, 0"),
    {
      name: "other processes than its own in a container with --privileged",
      attempt: privileged(
        '--network host localhost/base sh -c \'grep -lE "kubelet|containerd|etcd|sshd" /proc/[0-9]*/comm | grep . || { echo "nobody else" >&2; false; }\'',
      ),
      refused: /nobody else/,
      twin: privileged("--network host localhost/base sh -c 'grep -l sh /proc/[0-9]*/comm | grep .'"),
    },
    {
      name: "the node's disk from a container with --privileged",
      attempt: privileged("localhost/base sh -c 'mknod /vda b 254 0 && head -c 1 /vda'"),
      refused: denied,
      twin: privileged("localhost/base sh -c 'mkdir -p /m && mount -t tmpfs none /m && mknod /m/pipe p'"),
    },
    {
      name: "the node's root as a volume of a container",
      attempt:
        "podman run --rm --privileged -v /:/host localhost/base ls /host/etc/kubernetes /host/var/lib/kubelet/pods",
      refused: /No such file or directory/,
      twin: "podman run --rm -v /:/host localhost/base ls /host/etc/drawbridge",
    },
    // Has to be last: the engine and podman restore the packet filter only with the next network.
    {
      name: "another team's pod, without the packet filter of its own",
      attempt: `nft flush ruleset && curl -sS --max-time 3 -o /dev/null http://${doors.stranger}:8080/`,
      refused: /timed out|refused|Could not connect|Failed to connect/i,
      twin: `nft list ruleset >/dev/null && curl -sS --max-time 10 -o /dev/null http://${doors.friend}:8080/`,
    },
  ];
}
