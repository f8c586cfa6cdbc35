/**
 * Pods for a namespace that allows root inside. Each asks for too much in one field; its twin has the same field, as it
 * is allowed.
 */
import { type Fields, type Part, seccompProfile } from "./root-pods.ts";

interface WeakPod {
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

type Pair = readonly [weak: Fields, twin: Fields];

/** A weak part and its twin's, at the same place of a pod. */
const both =
  (place: (part: Part) => Fields) =>
  (weak: Part, twin: Part): Pair => [place(weak), place(twin)];
const ofPod = both((pod) => ({ pod }));
const inPod = both((context) => ({ pod: { securityContext: { seccompProfile, ...context } } }));
const inContainer = both((context) => ({ context }));
const capabilities = (weak: Part, twin: Part) => inContainer({ capabilities: weak }, { capabilities: twin });
const volume = both((source) => ({ pod: { volumes: [{ name: "data", ...source }] } }));
const initContainer = both(({ capabilities = {}, ...context }) => {
  const securityContext = { ...context, capabilities: { drop: ["NET_RAW"], ...(capabilities as Part) } };
  return { pod: { initContainers: [{ name: "first", image: "drawbridge.local/none:1", securityContext }] } };
});
const claimOf = { volumes: [{ name: "disk", persistentVolumeClaim: { claimName: "disk" } }] };
const resource = (name: string) => ({
  container: { resources: { requests: { [name]: "1" }, limits: { [name]: "1" } } },
});

const allCapabilities =
  "AUDIT_WRITE CHOWN DAC_OVERRIDE FOWNER FSETID KILL MKNOD NET_BIND_SERVICE SETFCAP SETGID SETPCAP SETUID SYS_CHROOT";

/**
 * Pods that are refused in the same words.
 * @param pairs by what each asks for: the weak one and its twin
 */
const pods = (
  of: WeakPod["of"],
  refusal: RegExp,
  pairs: Readonly<Record<string, Pair>>,
  engines: { readonly isEngines?: true } = {},
): WeakPod[] =>
  Object.entries(pairs).map(([name, [weak, twin]]) => ({ name, of, weak, twin, refusal, ...engines }));

export const weakPods: readonly WeakPod[] = [
  ...pods("root", /a pod here has hostUsers: false/, {
    "the node's users": ofPod({ hostUsers: true }, { hostUsers: false }),
    "hostUsers left out": [{ pod: { hostUsers: undefined } }, {}],
  }),
  ...pods("restricted", /a pod here has hostUsers: false/, {
    "the node's users, and programs that gain privileges": inContainer(
      { allowPrivilegeEscalation: true },
      { allowPrivilegeEscalation: false },
    ),
    "the node's users, and the runtime's capabilities": capabilities({ drop: [] }, { drop: ["ALL"] }),
    "the node's users, and a capability more": capabilities(
      { drop: ["ALL"], add: ["CHOWN"] },
      { drop: ["ALL"], add: ["NET_BIND_SERVICE"] },
    ),
    "the node's users, and perhaps its root": [
      { pod: { securityContext: { seccompProfile } } },
      { pod: { securityContext: { seccompProfile } }, context: { runAsNonRoot: true } },
    ],
    "the capability to mount, and the node's users": capabilities(
      { drop: ["ALL"], add: ["SYS_ADMIN"] },
      { drop: ["ALL"] },
    ),
  }),
  ...pods("restricted", /no namespace of its node/, {
    "the node's network": ofPod({ hostNetwork: true }, { hostNetwork: false }),
    "the node's processes": ofPod({ hostPID: true }, { shareProcessNamespace: true }),
    "the node's shared memory": ofPod({ hostIPC: true }, { hostIPC: false }),
  }),
  ...pods("root", /a volume here is one of/, {
    "a folder of the node": volume({ hostPath: { path: "/" } }, { emptyDir: {} }),
    "a file server's folder, without a claim": volume(
      { nfs: { server: "192.0.2.1", path: "/" } },
      { persistentVolumeClaim: { claimName: "shared" } },
    ),
  }),
  ...pods("root", /no container here is privileged/, {
    privileged: inContainer({ privileged: true }, { privileged: false }),
    "an init container that is privileged": initContainer({ privileged: true }, { runAsUser: 0 }),
  }),
  ...pods(
    "root",
    /may add the capabilities/,
    {
      "the capability to mount": capabilities({ add: ["SYS_ADMIN"] }, { add: allCapabilities.split(" ") }),
      "an init container with the capability to route": initContainer(
        { capabilities: { add: ["NET_ADMIN"] } },
        { capabilities: { add: ["CHOWN"] } },
      ),
    },
    { isEngines: true },
  ),
  ...pods("root", /may add the capabilities/, {
    "the capability to load modules": capabilities(
      { add: ["SYS_MODULE"] },
      { drop: ["NET_RAW", "SYS_MODULE"] },
    ),
    "all capabilities": capabilities({ add: ["ALL"] }, { drop: ["ALL"] }),
  }),
  ...pods("root", /drops NET_RAW/, {
    "an init container with raw packets": initContainer({ capabilities: { drop: [] } }, {}),
    "raw packets": capabilities({ drop: [] }, { drop: ["NET_RAW"] }),
    ...Object.fromEntries(
      ["CAP_NET_RAW", "net_raw"].map((dropped) => [
        `raw packets, where ${dropped} is dropped`,
        capabilities({ drop: [dropped] }, { drop: ["ALL"] }),
      ]),
    ),
  }),
  ...pods("root", /seccomp profile RuntimeDefault/, {
    "a pod without seccomp": inPod({ seccompProfile: { type: "Unconfined" } }, { seccompProfile }),
    "a container without seccomp": inContainer(
      { seccompProfile: { type: "Unconfined" } },
      { seccompProfile },
    ),
    "no seccomp profile at all": [
      { pod: { securityContext: {} } },
      { pod: { securityContext: {} }, context: { seccompProfile } },
    ],
  }),
  ...pods("root", /AppArmor/, {
    "a pod without AppArmor": inPod(
      { appArmorProfile: { type: "Unconfined" } },
      { appArmorProfile: { type: "RuntimeDefault" } },
    ),
  }),
  ...pods(
    "root",
    /AppArmor/,
    {
      "a container without AppArmor": inContainer(
        { appArmorProfile: { type: "Unconfined" } },
        { appArmorProfile: { type: "RuntimeDefault" } },
      ),
    },
    { isEngines: true },
  ),
  ...pods("restricted", /AppArmor/, {
    "the node's users, and a container without AppArmor": inContainer(
      { appArmorProfile: { type: "Unconfined" }, capabilities: { drop: ["ALL"] } },
      { appArmorProfile: { type: "RuntimeDefault" }, capabilities: { drop: ["ALL"] } },
    ),
  }),
  ...pods("root", /neither seLinuxOptions nor windowsOptions/, {
    "a pod with SELinux options": inPod({ seLinuxOptions: { type: "spc_t" } }, {}),
    "a container with SELinux options": inContainer(
      { seLinuxOptions: { type: "spc_t" } },
      { readOnlyRootFilesystem: true },
    ),
    "a pod with Windows options": inPod(
      { windowsOptions: { gmsaCredentialSpecName: "admin" } },
      { fsGroup: 1000 },
    ),
    "a container with Windows options": inContainer(
      { windowsOptions: { gmsaCredentialSpecName: "admin" } },
      { runAsUser: 0 },
    ),
  }),
  ...pods("root", /no procMount/, {
    "a /proc with nothing masked": inContainer({ procMount: "Unmasked" }, { procMount: "Default" }),
  }),
  ...pods("root", /sets no sysctl/, {
    "a sysctl that is not safe": inPod(
      { sysctls: [{ name: "kernel.msgmax", value: "65536" }] },
      { sysctls: [{ name: "net.ipv4.ip_unprivileged_port_start", value: "22" }] },
    ),
  }),
  ...pods("root", /no hostPort/, {
    "a port of the node": [
      { container: { ports: [{ containerPort: 80, hostPort: 80 }] } },
      { container: { ports: [{ containerPort: 80 }] } },
    ],
  }),
  ...pods("restricted", /no device but GPUs/, {
    "a disk as a device": [
      { pod: claimOf, container: { volumeDevices: [{ name: "disk", devicePath: "/dev/xvda" }] } },
      { pod: claimOf, container: { volumeMounts: [{ name: "disk", mountPath: "/disk" }] } },
    ],
  }),
  ...pods("root", /no device but GPUs/, {
    "a device by a claim": [{ pod: { resourceClaims: [{ name: "card", resourceClaimName: "card" }] } }, {}],
    "a device by another plugin than a GPU's": [resource("smarter-devices/kmsg"), resource("nvidia.com/gpu")],
  }),
  ...pods("root", /runs as one of the service accounts default, buckets/, {
    "a service account that the platform does not name": ofPod(
      { serviceAccountName: foreignAccount },
      { serviceAccountName: namedAccount },
    ),
  }),
];
