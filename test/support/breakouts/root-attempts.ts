/**
 * What root inside a container may try, to get out of it or into others: a shell script for each attempt, beside its
 * twin, the nearest thing that is allowed. All run as root with every capability that the container has.
 */

export interface Attempt {
  readonly name: string;
  readonly attempt: string;
  /** What the shell says on standard error; exit code 0 is a way out. */
  readonly refused: RegExp;
  readonly twin: string;
}

/** Addresses that the attempts try to reach. */
export interface Doors {
  /** The node's own. */
  readonly node: string;
  readonly apiServer: string;
  /** A pod of another team, which answers HTTP on port 8080. */
  readonly stranger: string;
  /** A pod of its own team, which it may reach. */
  readonly friend: string;
}

// The last is what dash prints for any error of a write.
export const denied = /not permitted|permission denied|read-only file system|I\/O error/i;
const notThere = /No such file or directory|nonexistent/;
/** Not every kernel has every file. */
export const deniedOrNotThere = new RegExp(`${denied.source}|${notThere.source}`, "i");

/** Numbers of system calls, on x64 and on arm64. */
const calls = {
  getpid: [39, 172],
  finit_module: [313, 273],
  init_module: [175, 105],
  delete_module: [176, 106],
  kexec_load: [246, 104],
  bpf: [321, 280],
  perf_event_open: [298, 241],
  keyctl: [250, 219],
  add_key: [248, 217],
  userfaultfd: [323, 282],
  io_uring_setup: [425, 425],
  open_by_handle_at: [304, 265],
  swapon: [167, 224],
  reboot: [169, 142],
  setns: [308, 268],
  pivot_root: [155, 41],
} as const;

function call(name: keyof typeof calls, ...args: number[]): string {
  const [x64, arm64] = calls[name];
  return `python3 - <<'END'
import ctypes, os, platform, sys
number = ${arm64} if platform.machine() == "aarch64" else ${x64}
if ctypes.CDLL(None, use_errno=True).syscall(${["number", ...args].join(", ")}) < 0:
    sys.exit(os.strerror(ctypes.get_errno()))
END`;
}

const syscall = (name: keyof typeof calls, ...args: number[]): Attempt => ({
  name: `the system call ${name}`,
  attempt: call(name, ...args),
  refused: /Operation not permitted|Function not implemented/,
  twin: call("getpid"),
});

/** Writes a kernel file's own content back to it, so that nothing breaks if it works. */
const rewrite = (path: string): Attempt => ({
  name: `writing ${path}`,
  attempt: `value=$(cat ${path}) && echo "$value" >${path}`,
  refused: denied,
  twin: `cat ${path}`,
});

const connect = (name: string, address: string, port: number, { node, friend }: Doors): Attempt => ({
  name,
  attempt: `curl -kfsS --noproxy '*' --max-time 3 -o /dev/null https://${address}:${port}/ || curl -sS --max-time 3 -o /dev/null telnet://${address}:${port} </dev/null`,
  refused: /timed out|refused|Could not connect|Failed to connect/i,
  twin: `test ${node} != ${friend} && curl -sS --max-time 10 -o /dev/null http://${friend}:8080/`,
});

const mount = (what: string, command: string): Attempt => ({
  name: `mounting ${what}`,
  attempt: `mkdir -p /mnt/x && ${command}`,
  refused: denied,
  twin: "mkdir -p /mnt/y && touch /mnt/y/file && cat /proc/self/mounts",
});

/** Of a controller, which only version 1 has, or of none. */
export const cgroupTree = (at: string) =>
  `{ mount -t cgroup -o memory none ${at} || mount -t cgroup -o none,name=own none ${at}; }`;

const makeDevice = (name: string, type: string, major: number, minor: number): Attempt => ({
  name: `making the device ${name}`,
  attempt: `rm -f /tmp/${name} && mknod /tmp/${name} ${type} ${major} ${minor}`,
  refused: denied,
  twin: `rm -f /tmp/${name} && mknod /tmp/${name} p`,
});

const unshare = (flags: string): Attempt => ({
  name: `unshare ${flags}`,
  attempt: `unshare ${flags} true`,
  refused: /unshare failed: (Operation not permitted|No space left)/,
  twin: "setpriv --reuid 33 --clear-groups sh -c 'test $(id -u) = 33'",
});

export function attempts(doors: Doors): Attempt[] {
  return [
    mount("a disk of the node", "mount -t ext4 /dev/vda /mnt/x"),
    mount("a tmpfs", "mount -t tmpfs none /mnt/x"),
    mount("a proc of its own", "mount -t proc none /mnt/x"),
    mount("a cgroup tree", cgroupTree("/mnt/x")),
    mount("an overlay", "mount -t overlay -o lowerdir=/etc,upperdir=/tmp,workdir=/tmp none /mnt/x"),
    mount("its own root a second time", "mount --bind /proc/1/root /mnt/x"),
    mount("the keys' folder writable", "mount -o remount,rw /etc/drawbridge/authorized-keys"),
    unshare("--user --map-root-user"),
    unshare("--mount"),
    unshare("--user --mount --pid --fork"),
    {
      name: "the namespaces of process 1",
      attempt: "nsenter --target 1 --mount --pid --net true",
      refused: denied,
      twin: "readlink /proc/self/ns/mnt",
    },
    makeDevice("disk", "b", 8, 0),
    makeDevice("kmsg", "c", 1, 11),
    makeDevice("mem", "c", 1, 1),
    ...["/dev/kmsg", "/dev/mem", "/dev/fuse", "/dev/kvm"].map(
      (path): Attempt => ({
        name: `opening ${path}`,
        attempt: `head -c 1 ${path}`,
        refused: notThere,
        twin: "head -c 1 /dev/zero",
      }),
    ),
    ...["/run/containerd/containerd.sock", "/var/lib/kubelet/pods", "/etc/kubernetes"].map(
      (path): Attempt => ({
        name: `the node's ${path}`,
        attempt: `ls ${path}`,
        refused: notThere,
        twin: "ls /run/drawbridge",
      }),
    ),
    syscall("finit_module", -1, 0, 0),
    syscall("init_module", 0, 0, 0),
    syscall("delete_module", 0, 0),
    syscall("kexec_load", 0, 0, 0, 0),
    syscall("bpf", 0, 0, 0),
    syscall("perf_event_open", 0, 0, -1, -1, 0),
    syscall("keyctl", 0, -3, 1),
    syscall("add_key", 0, 0, 0, 0, -3),
    syscall("userfaultfd", 0),
    syscall("io_uring_setup", 0, 0),
    syscall("open_by_handle_at", -100, 0, 0),
    syscall("swapon", 0, 0),
    syscall("reboot", 0, 0, 0, 0),
    syscall("setns", 0, 0),
    syscall("pivot_root", 0, 0),
    rewrite("/proc/sys/kernel/core_pattern"),
    rewrite("/proc/sys/kernel/panic"),
    rewrite("/proc/sys/vm/overcommit_memory"),
    rewrite("/proc/sys/net/ipv4/ip_forward"),
    {
      name: "writing /proc/sysrq-trigger",
      attempt: "echo h >/proc/sysrq-trigger",
      refused: /I\/O error|denied|Read-only|cannot create/,
      twin: "ls /proc/sys",
    },
    {
      name: "writing /sys/kernel",
      attempt:
        "for file in /sys/kernel/profiling /sys/kernel/uevent_seqnum; do echo 0 >$file && exit 0; done; false",
      refused: /Read-only file system|Permission denied|nonexistent/,
      twin: "ls /sys/kernel",
    },
    {
      name: "a cgroup of its own",
      attempt: `for tree in $(awk '$3 ~ /^cgroup/ { print $2 }' /proc/self/mounts); do mkdir $tree/own && exit 0; done; false`,
      refused: denied,
      twin: "awk '$3 ~ /^cgroup/ { print $2 }' /proc/self/mounts | grep .",
    },
    {
      name: "another memory limit",
      attempt:
        "for file in /sys/fs/cgroup/memory/memory.limit_in_bytes /sys/fs/cgroup/memory.max; do [ -e $file ] && echo 8G >$file && exit 0; done; false",
      refused: denied,
      twin: "cat /sys/fs/cgroup/memory/memory.limit_in_bytes /sys/fs/cgroup/memory.max 2>/dev/null | grep -q .",
    },
    {
      name: "an alarm of its cgroup's memory pressure",
      // Only version 2 has it.
      attempt:
        "ls /sys/fs/cgroup/memory.pressure && echo 'some 150000 1000000' >/sys/fs/cgroup/memory.pressure",
      refused: deniedOrNotThere,
      twin: "ls /sys/fs/cgroup",
    },
    {
      name: "a process put into a cgroup",
      attempt:
        "for file in /sys/fs/cgroup/memory/cgroup.procs /sys/fs/cgroup/cgroup.procs; do [ -e $file ] && echo $$ >$file && exit 0; done; false",
      refused: denied,
      twin: "cat /proc/self/cgroup",
    },
    {
      name: "never being killed for memory",
      attempt: "echo -1000 >/proc/self/oom_score_adj",
      refused: denied,
      twin: "echo 1000 >/proc/self/oom_score_adj",
    },
    {
      name: "more memory than its limit",
      attempt: "python3 -c 'bytearray(1 << 30)' || { code=$?; echo \"killed: $code\" >&2; exit $code; }",
      refused: /killed: 137/,
      twin: "python3 -c 'bytearray(1 << 20)'",
    },
    {
      name: "more of the memory disk than its limit",
      attempt: "head -c 4M /dev/zero >/run/drawbridge/fill; code=$?; rm -f /run/drawbridge/fill; exit $code",
      refused: /No space left on device/,
      twin: "head -c 4K /dev/zero >/run/drawbridge/fill && rm /run/drawbridge/fill",
    },
    { name: "the node's clock", attempt: "date -s @$(date +%s)", refused: denied, twin: "date" },
    {
      name: "another host name",
      attempt: "hostname elsewhere",
      refused: /must be root|not permitted|you must be root/,
      twin: "hostname",
    },
    {
      name: "another address",
      attempt: `python3 - <<'END'
import fcntl, socket, struct
fcntl.ioctl(socket.socket(), 0x8916, struct.pack("16sH2s4s8s", b"eth0", socket.AF_INET, b"", socket.inet_aton("10.244.0.99"), b""))
END`,
      refused: denied,
      twin: `python3 - <<'END'
import fcntl, socket, struct
fcntl.ioctl(socket.socket(), 0x8915, struct.pack("256s", b"eth0"))
END`,
    },
    {
      name: "other pods' processes",
      attempt:
        "grep -lE 'kubelet|containerd|etcd' /proc/[0-9]*/comm | grep . || { echo 'nobody else: No such file or directory' >&2; false; }",
      refused: notThere,
      twin: "grep -l sshd /proc/[0-9]*/comm | grep .",
    },
    {
      name: "an answer for the address of another team's pod, to everybody on its bridge",
      attempt: forgedAnswer(doors.stranger),
      refused: denied,
      twin: ping("127.0.0.1"),
    },
    {
      name: "a packet with the address of another team's pod",
      attempt: forgedPacket(doors.stranger, doors.friend),
      refused: denied,
      twin: ping("127.0.0.1"),
    },
    {
      name: "a ping of another team's pod",
      attempt: ping(doors.stranger),
      refused: /timed out/,
      twin: ping("127.0.0.1"),
    },
    connect("the kubelet's port", doors.node, 10250, doors),
    connect("the API server", doors.apiServer, 443, doors),
    connect("the metadata address", "169.254.169.254", 80, doors),
    connect("another team's pod", doors.stranger, 8080, doors),
  ];
}

export const python = (text: string) => `python3 - <<'END'\n${text}\nEND`;

/** An ARP reply to all: the address is at one's own interface. Nothing is sent but for the test's own pod. */
const forgedAnswer = (address: string) =>
  python(`import socket, struct
raw = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(0x0806))
raw.bind(("eth0", 0))
own, address, all = raw.getsockname()[4], socket.inet_aton("${address}"), b"\\xff" * 6
raw.send(all + own + struct.pack("!HHHBBH", 0x0806, 1, 0x0800, 6, 4, 2) + own + address + all + address)`);

/** A UDP packet whose sender is made up. */
const forgedPacket = (from: string, to: string) =>
  python(`import socket, struct
raw = socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_RAW)
addresses = socket.inet_aton("${from}") + socket.inet_aton("${to}")
raw.sendto(struct.pack("!BBHHHBBH", 0x45, 0, 28, 1, 0, 64, 17, 0) + addresses + struct.pack("!HHHH", 9, 9, 8, 0), ("${to}", 0))`);

/** An ICMP echo by a socket that needs no capability. */
const ping = (address: string) =>
  python(`import socket, struct
icmp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM, socket.IPPROTO_ICMP)
icmp.settimeout(3)
icmp.sendto(struct.pack("!BBHHH", 8, 0, 0, 0, 7), ("${address}", 0))
assert icmp.recv(1024)[0] == 0`);
