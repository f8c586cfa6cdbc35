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

/**
 * Pods that are refused in the same words.
 * @param pairs by what each asks for: the weak one and its twin
 */
const pods = (
  of: WeakPod["of"],
  refusal: RegExp,
  pairs: Readonly<Record<string, readonly [weak: Fields, twin: Fields]>>,
  engines: { readonly isEngines?: true } = {},
): WeakPod[] =>
  Object.entries(pairs).map(([name, [weak, twin]]) => ({ name, of, weak, twin, refusal, ...engines }));

export const weakPods: readonly WeakPod[] = [
  ...pods("root", /a pod here has hostUsers: false/, {
    "the node's users": [{ pod: { hostUsers: true } }, { pod: { hostUsers: false } }],
    "hostUsers left out": [{ pod: { hostUsers: undefined } }, {}],
  }),
  ...pods("restricted", /a pod here has hostUsers: false/, {
    "the node's users, and programs that gain privileges": [
      inContainer({ allowPrivilegeEscalation: true }),
      inContainer({ allowPrivilegeEscalation: false }),
    ],
    "the node's users, and the runtime's capabilities": [
      inContainer({ capabilities: { drop: [] } }),
      inContainer({ capabilities: { drop: ["ALL"] } }),
    ],
    "the node's users, and a capability more": [
      inContainer({ capabilities: { drop: ["ALL"], add: ["CHOWN"] } }),
      inContainer({ capabilities: { drop: ["ALL"], add: ["NET_BIND_SERVICE"] } }),
    ],
    "the node's users, and perhaps its root": [
      { pod: { securityContext: { seccompProfile } } },
      { pod: { securityContext: { seccompProfile } }, context: { runAsNonRoot: true } },
    ],
    "the capability to mount, and the node's users": [
      inContainer({ capabilities: { drop: ["ALL"], add: ["SYS_ADMIN"] } }),
      inContainer({ capabilities: { drop: ["ALL"] } }),
    ],
  }),
  ...pods("restricted", /no namespace of its node/, {
    "the node's network": [{ pod: { hostNetwork: true } }, { pod: { hostNetwork: false } }],
    "the node's processes": [{ pod: { hostPID: true } }, { pod: { shareProcessNamespace: true } }],
    "the node's shared memory": [{ pod: { hostIPC: true } }, { pod: { hostIPC: false } }],
  }),
  ...pods("root", /a volume here is one of/, {
    "a folder of the node": [volume({ hostPath: { path: "/" } }), volume({ emptyDir: {} })],
    "a file server's folder, without a claim": [
      volume({ nfs: { server: "192.0.2.1", path: "/" } }),
      volume({ persistentVolumeClaim: { claimName: "shared" } }),
    ],
  }),
  ...pods("root", /no container here is privileged/, {
    privileged: [inContainer({ privileged: true }), inContainer({ privileged: false })],
    "an init container that is privileged": [
      initContainer({ privileged: true }),
      initContainer({ runAsUser: 0 }),
    ],
  }),
  ...pods(
    "root",
    /may add the capabilities/,
    {
      "the capability to mount": [
        inContainer({ capabilities: { add: ["SYS_ADMIN"] } }),
        inContainer({ capabilities: { add: allCapabilities.split(" ") } }),
      ],
      "an init container with the capability to route": [
        initContainer({ capabilities: { add: ["NET_ADMIN"] } }),
        initContainer({ capabilities: { add: ["CHOWN"] } }),
      ],
    },
    { isEngines: true },
  ),
  ...pods("root", /may add the capabilities/, {
    "the capability to load modules": [
      inContainer({ capabilities: { add: ["SYS_MODULE"] } }),
      inContainer({ capabilities: { drop: ["NET_RAW", "SYS_MODULE"] } }),
    ],
    "all capabilities": [
      inContainer({ capabilities: { add: ["ALL"] } }),
      inContainer({ capabilities: { drop: ["ALL"] } }),
    ],
  }),
  ...pods("root", /drops NET_RAW/, {
    "an init container with raw packets": [initContainer({ capabilities: { drop: [] } }), initContainer({})],
    "raw packets": [
      inContainer({ capabilities: { drop: [] } }),
      inContainer({ capabilities: { drop: ["NET_RAW"] } }),
    ],
    ...Object.fromEntries(
      ["CAP_NET_RAW", "net_raw"].map((dropped) => [
        `raw packets, where ${dropped} is dropped`,
        [
          inContainer({ capabilities: { drop: [dropped] } }),
          inContainer({ capabilities: { drop: ["ALL"] } }),
        ] as const,
      ]),
    ),
  }),
  ...pods("root", /seccomp profile RuntimeDefault/, {
    "a pod without seccomp": [inPod({ seccompProfile: { type: "Unconfined" } }), inPod({ seccompProfile })],
    "a container without seccomp": [
      inContainer({ seccompProfile: { type: "Unconfined" } }),
      inContainer({ seccompProfile }),
    ],
    "no seccomp profile at all": [
      { pod: { securityContext: {} } },
      { pod: { securityContext: {} }, context: { seccompProfile } },
    ],
  }),
  ...pods("root", /AppArmor/, {
    "a pod without AppArmor": [
      inPod({ appArmorProfile: { type: "Unconfined" } }),
      inPod({ appArmorProfile: { type: "RuntimeDefault" } }),
    ],
  }),
  ...pods(
    "root",
    /AppArmor/,
    {
      "a container without AppArmor": [
        inContainer({ appArmorProfile: { type: "Unconfined" } }),
        inContainer({ appArmorProfile: { type: "RuntimeDefault" } }),
      ],
    },
    { isEngines: true },
  ),
  ...pods("restricted", /AppArmor/, {
    "the node's users, and a container without AppArmor": [
      inContainer({ appArmorProfile: { type: "Unconfined" }, capabilities: { drop: ["ALL"] } }),
      inContainer({ appArmorProfile: { type: "RuntimeDefault" }, capabilities: { drop: ["ALL"] } }),
    ],
  }),
  ...pods("root", /neither seLinuxOptions nor windowsOptions/, {
    "a pod with SELinux options": [inPod({ seLinuxOptions: { type: "spc_t" } }), inPod({})],
    "a container with SELinux options": [
      inContainer({ seLinuxOptions: { type: "spc_t" } }),
      inContainer({ readOnlyRootFilesystem: true }),
    ],
    "a pod with Windows options": [
      inPod({ windowsOptions: { gmsaCredentialSpecName: "admin" } }),
      inPod({ fsGroup: 1000 }),
    ],
    "a container with Windows options": [
      inContainer({ windowsOptions: { gmsaCredentialSpecName: "admin" } }),
      inContainer({ runAsUser: 0 }),
    ],
  }),
  ...pods("root", /no procMount/, {
    "a /proc with nothing masked": [
      inContainer({ procMount: "Unmasked" }),
      inContainer({ procMount: "Default" }),
    ],
  }),
  ...pods("root", /sets no sysctl/, {
    "a sysctl that is not safe": [
      inPod({ sysctls: [{ name: "kernel.msgmax", value: "65536" }] }),
      inPod({ sysctls: [{ name: "net.ipv4.ip_unprivileged_port_start", value: "22" }] }),
    ],
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
    "a service account that the platform does not name": [
      { pod: { serviceAccountName: foreignAccount } },
      { pod: { serviceAccountName: namedAccount } },
    ],
  }),
];
