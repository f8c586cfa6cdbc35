/**
 * Pods for a namespace that allows root inside. Each asks for too much in one field; its twin has the same field, as it
 * is allowed.
 */
import { type Fields, type Part, seccompProfile } from "./root-pods.ts";

export interface WeakPod {
  readonly name: string;
  /** What the rest of the pod is like: with root in a user namespace, or as Pod Security "restricted" asks. */
  readonly of: "root" | "restricted";
  readonly weak: Fields;
  readonly twin: Fields;
  /** What the refusal says. */
  readonly refusal: RegExp;
  /** Set if podman or docker inside need it, so that it is accepted where the team has `containersInside`. */
  readonly isEngines?: true;
}

/** Service accounts of the namespace: the platform names the first. */
export const namedAccount = "buckets";
export const foreignAccount = "operator";

const inPod = (context: Part) => ({ pod: { securityContext: { seccompProfile, ...context } } });
const inContainer = (context: Part) => ({ context });
const volume = (source: Part) => ({ pod: { volumes: [{ name: "data", ...source }] } });
const initContainer = ({ capabilities = {}, ...context }: Part) => {
  const securityContext = { ...context, capabilities: { drop: ["NET_RAW"], ...(capabilities as Part) } };
  return {
    pod: { initContainers: [{ name: "first", image: "drawbridge.local/none:1", securityContext }] },
  };
};
const claimOf = { volumes: [{ name: "disk", persistentVolumeClaim: { claimName: "disk" } }] };
const resource = (name: string) => ({
  container: { resources: { requests: { [name]: "1" }, limits: { [name]: "1" } } },
});

const allCapabilities =
  "AUDIT_WRITE CHOWN DAC_OVERRIDE FOWNER FSETID KILL MKNOD NET_BIND_SERVICE SETFCAP SETGID SETPCAP SETUID SYS_CHROOT";

export const weakPods: readonly WeakPod[] = [
  {
    name: "the node's users",
    of: "root",
    weak: { pod: { hostUsers: true } },
    twin: { pod: { hostUsers: false } },
    refusal: /a pod here has hostUsers: false/,
  },
  {
    name: "hostUsers left out",
    of: "root",
    weak: { pod: { hostUsers: undefined } },
    twin: {},
    refusal: /a pod here has hostUsers: false/,
  },
  {
    name: "the node's users, and programs that gain privileges",
    of: "restricted",
    weak: inContainer({ allowPrivilegeEscalation: true }),
    twin: inContainer({ allowPrivilegeEscalation: false }),
    refusal: /a pod here has hostUsers: false/,
  },
  {
    name: "the node's users, and the runtime's capabilities",
    of: "restricted",
    weak: inContainer({ capabilities: { drop: [] } }),
    twin: inContainer({ capabilities: { drop: ["ALL"] } }),
    refusal: /a pod here has hostUsers: false/,
  },
  {
    name: "the node's users, and a capability more",
    of: "restricted",
    weak: inContainer({ capabilities: { drop: ["ALL"], add: ["CHOWN"] } }),
    twin: inContainer({ capabilities: { drop: ["ALL"], add: ["NET_BIND_SERVICE"] } }),
    refusal: /a pod here has hostUsers: false/,
  },
  {
    name: "the node's users, and perhaps its root",
    of: "restricted",
    weak: { pod: { securityContext: { seccompProfile } } },
    twin: { pod: { securityContext: { seccompProfile } }, context: { runAsNonRoot: true } },
    refusal: /a pod here has hostUsers: false/,
  },
  {
    name: "the node's network",
    of: "restricted",
    weak: { pod: { hostNetwork: true } },
    twin: { pod: { hostNetwork: false } },
    refusal: /no namespace of its node/,
  },
  {
    name: "the node's processes",
    of: "restricted",
    weak: { pod: { hostPID: true } },
    twin: { pod: { shareProcessNamespace: true } },
    refusal: /no namespace of its node/,
  },
  {
    name: "the node's shared memory",
    of: "restricted",
    weak: { pod: { hostIPC: true } },
    twin: { pod: { hostIPC: false } },
    refusal: /no namespace of its node/,
  },
  {
    name: "a folder of the node",
    of: "root",
    weak: volume({ hostPath: { path: "/" } }),
    twin: volume({ emptyDir: {} }),
    refusal: /a volume here is one of/,
  },
  {
    name: "a file server's folder, without a claim",
    of: "root",
    weak: volume({ nfs: { server: "192.0.2.1", path: "/" } }),
    twin: volume({ persistentVolumeClaim: { claimName: "shared" } }),
    refusal: /a volume here is one of/,
  },
  {
    name: "privileged",
    of: "root",
    weak: inContainer({ privileged: true }),
    twin: inContainer({ privileged: false }),
    refusal: /no container here is privileged/,
  },
  {
    name: "an init container that is privileged",
    of: "root",
    weak: initContainer({ privileged: true }),
    twin: initContainer({ runAsUser: 0 }),
    refusal: /no container here is privileged/,
  },
  {
    name: "the capability to mount",
    of: "root",
    weak: inContainer({ capabilities: { add: ["SYS_ADMIN"] } }),
    twin: inContainer({ capabilities: { add: allCapabilities.split(" ") } }),
    refusal: /may add the capabilities/,
    isEngines: true,
  },
  {
    name: "the capability to mount, and the node's users",
    of: "restricted",
    weak: inContainer({ capabilities: { drop: ["ALL"], add: ["SYS_ADMIN"] } }),
    twin: inContainer({ capabilities: { drop: ["ALL"] } }),
    refusal: /a pod here has hostUsers: false/,
  },
  {
    name: "the capability to load modules",
    of: "root",
    weak: inContainer({ capabilities: { add: ["SYS_MODULE"] } }),
    twin: inContainer({ capabilities: { drop: ["NET_RAW", "SYS_MODULE"] } }),
    refusal: /may add the capabilities/,
  },
  {
    name: "all capabilities",
    of: "root",
    weak: inContainer({ capabilities: { add: ["ALL"] } }),
    twin: inContainer({ capabilities: { drop: ["ALL"] } }),
    refusal: /may add the capabilities/,
  },
  {
    name: "an init container with the capability to route",
    of: "root",
    weak: initContainer({ capabilities: { add: ["NET_ADMIN"] } }),
    twin: initContainer({ capabilities: { add: ["CHOWN"] } }),
    refusal: /may add the capabilities/,
    isEngines: true,
  },
  ...["", "CAP_NET_RAW", "net_raw"].map(
    (dropped): WeakPod => ({
      name: `raw packets${dropped === "" ? "" : `, where ${dropped} is dropped`}`,
      of: "root",
      weak: inContainer({ capabilities: { drop: dropped === "" ? [] : [dropped] } }),
      twin: inContainer({ capabilities: { drop: dropped === "" ? ["NET_RAW"] : ["ALL"] } }),
      refusal: /drops NET_RAW/,
    }),
  ),
  {
    name: "an init container with raw packets",
    of: "root",
    weak: initContainer({ capabilities: { drop: [] } }),
    twin: initContainer({}),
    refusal: /drops NET_RAW/,
  },
  {
    name: "a pod without seccomp",
    of: "root",
    weak: inPod({ seccompProfile: { type: "Unconfined" } }),
    twin: inPod({ seccompProfile }),
    refusal: /seccomp profile RuntimeDefault/,
  },
  {
    name: "a container without seccomp",
    of: "root",
    weak: inContainer({ seccompProfile: { type: "Unconfined" } }),
    twin: inContainer({ seccompProfile }),
    refusal: /seccomp profile RuntimeDefault/,
  },
  {
    name: "no seccomp profile at all",
    of: "root",
    weak: { pod: { securityContext: {} } },
    twin: { pod: { securityContext: {} }, context: { seccompProfile } },
    refusal: /seccomp profile RuntimeDefault/,
  },
  {
    name: "a pod without AppArmor",
    of: "root",
    weak: inPod({ appArmorProfile: { type: "Unconfined" } }),
    twin: inPod({ appArmorProfile: { type: "RuntimeDefault" } }),
    refusal: /AppArmor/,
  },
  {
    name: "a container without AppArmor",
    of: "root",
    weak: inContainer({ appArmorProfile: { type: "Unconfined" } }),
    twin: inContainer({ appArmorProfile: { type: "RuntimeDefault" } }),
    refusal: /AppArmor/,
    isEngines: true,
  },
  {
    name: "the node's users, and a container without AppArmor",
    of: "restricted",
    weak: inContainer({ appArmorProfile: { type: "Unconfined" }, capabilities: { drop: ["ALL"] } }),
    twin: inContainer({ appArmorProfile: { type: "RuntimeDefault" }, capabilities: { drop: ["ALL"] } }),
    refusal: /AppArmor/,
  },
  {
    name: "a pod with SELinux options",
    of: "root",
    weak: inPod({ seLinuxOptions: { type: "spc_t" } }),
    twin: inPod({}),
    refusal: /neither seLinuxOptions nor windowsOptions/,
  },
  {
    name: "a container with SELinux options",
    of: "root",
    weak: inContainer({ seLinuxOptions: { type: "spc_t" } }),
    twin: inContainer({ readOnlyRootFilesystem: true }),
    refusal: /neither seLinuxOptions nor windowsOptions/,
  },
  {
    name: "a pod with Windows options",
    of: "root",
    weak: inPod({ windowsOptions: { gmsaCredentialSpecName: "admin" } }),
    twin: inPod({ fsGroup: 1000 }),
    refusal: /neither seLinuxOptions nor windowsOptions/,
  },
  {
    name: "a container with Windows options",
    of: "root",
    weak: inContainer({ windowsOptions: { gmsaCredentialSpecName: "admin" } }),
    twin: inContainer({ runAsUser: 0 }),
    refusal: /neither seLinuxOptions nor windowsOptions/,
  },
  {
    name: "a /proc with nothing masked",
    of: "root",
    weak: inContainer({ procMount: "Unmasked" }),
    twin: inContainer({ procMount: "Default" }),
    refusal: /no procMount/,
  },
  {
    name: "a sysctl that is not safe",
    of: "root",
    weak: inPod({ sysctls: [{ name: "kernel.msgmax", value: "65536" }] }),
    twin: inPod({ sysctls: [{ name: "net.ipv4.ip_unprivileged_port_start", value: "22" }] }),
    refusal: /sets no sysctl/,
  },
  {
    name: "a port of the node",
    of: "root",
    weak: { container: { ports: [{ containerPort: 80, hostPort: 80 }] } },
    twin: { container: { ports: [{ containerPort: 80 }] } },
    refusal: /no hostPort/,
  },
  {
    name: "a disk as a device",
    of: "restricted",
    weak: { pod: claimOf, container: { volumeDevices: [{ name: "disk", devicePath: "/dev/xvda" }] } },
    twin: { pod: claimOf, container: { volumeMounts: [{ name: "disk", mountPath: "/disk" }] } },
    refusal: /no device but GPUs/,
  },
  {
    name: "a device by a claim",
    of: "root",
    weak: { pod: { resourceClaims: [{ name: "card", resourceClaimName: "card" }] } },
    twin: {},
    refusal: /no device but GPUs/,
  },
  {
    name: "a device by another plugin than a GPU's",
    of: "root",
    weak: resource("smarter-devices/kmsg"),
    twin: resource("nvidia.com/gpu"),
    refusal: /no device but GPUs/,
  },
  {
    name: "a service account that the platform does not name",
    of: "root",
    weak: { pod: { serviceAccountName: foreignAccount } },
    twin: { pod: { serviceAccountName: namedAccount } },
    refusal: /runs as one of the service accounts default, buckets/,
  },
];
