/**
 * What the API server refuses in a namespace whose containers may have root inside: Pod Security has no level that asks for
 * a user namespace. These rules stand alone, so that they hold whatever level the namespace is at.
 */
import type { Settled } from "../kit/input.ts";
import type { AdmissionPolicy, AdmissionRule, PolicyOwner } from "../kubernetes/admission.ts";
import { objectLabels, type PodSecurity } from "../kubernetes/labels.ts";
import { engineCapabilities, safeSysctls } from "../kubernetes/security.ts";
import type { RootParsed } from "./args.ts";

type Args = Settled<RootParsed> & { readonly namespace: string };

export function rootPolicies(args: Args): AdmissionPolicy[] {
  return [podsPolicy(args), servicesPolicy(args.namespace)];
}

/** The strictest level under which the policies' pods start: "baseline" refuses the capabilities of an engine. */
export function rootPodSecurity({ containersInside }: Pick<Args, "containersInside">): PodSecurity {
  return containersInside ? "privileged" : "baseline";
}

export function rootPolicyOwner({ namespace }: Pick<Args, "namespace">): PolicyOwner {
  return { path: ["team", namespace], labels: objectLabels("team", namespace) };
}

/** Kinds of volumes that lead to nothing of the node: those of Pod Security "restricted". */
const volumeKinds = [
  "configMap",
  "csi",
  "downwardAPI",
  "emptyDir",
  "ephemeral",
  "persistentVolumeClaim",
  "projected",
  "secret",
];

/** Capabilities that containers may add: what runtimes give anyway, as in Pod Security "baseline". */
const capabilities = [
  "AUDIT_WRITE",
  "CHOWN",
  "DAC_OVERRIDE",
  "FOWNER",
  "FSETID",
  "KILL",
  "MKNOD",
  "NET_BIND_SERVICE",
  "SETFCAP",
  "SETGID",
  "SETPCAP",
  "SETUID",
  "SYS_CHROOT",
];

/** Extended resources that are GPUs, whole or in slices, by the vendors' device plugins. */
const gpus = "^(nvidia[.]com/(gpu([.]shared)?|mig-[a-z0-9.]+)|amd[.]com/gpu|gpu[.]intel[.]com/(i915|xe))$";

const list = (names: readonly string[]) => `[${names.map((name) => `'${name}'`).join(", ")}]`;
const spec = "object.spec";
const ofPod = `${spec}.?securityContext`;
const ofContainer = "one.?securityContext";

/** CEL: whether the pod has users of its own. */
const ownUsers = `${spec}.?hostUsers.orValue(true) == false`;

/** CEL: `test` holds for every container, init container and ephemeral container. */
const everyContainer = (test: string) => `variables.containers.all(one, ${test})`;

/** CEL: as Pod Security "restricted" asks; the volumes are judged for all pods alike. */
const restricted = everyContainer(
  [
    `${ofContainer}.?allowPrivilegeEscalation.orValue(true) == false`,
    `'ALL' in ${ofContainer}.?capabilities.?drop.orValue([])`,
    `${ofContainer}.?capabilities.?add.orValue([]).all(name, name == 'NET_BIND_SERVICE')`,
    `${ofContainer}.?runAsNonRoot.orValue(${ofPod}.?runAsNonRoot.orValue(false))`,
  ].join(" && "),
);

/** CEL: whether the resources of this side are the node's processor, memory and disk, or GPUs. */
const plainResources = (side: "limits" | "requests") =>
  `one.?resources.?${side}.orValue({}).all(name, !name.contains('/') || name.matches('${gpus}'))`;

/** CEL: whether no container adds a capability of an engine's. */
const noEngine = everyContainer(
  `${ofContainer}.?capabilities.?add.orValue([]).all(name, !(name in ${list(engineCapabilities)}))`,
);

/**
 * The kubelet goes on writing to the other kinds as root of the node, and follows the links that it finds there; a process that
 * may mount makes them writable (CVE-2017-1002102). That is asked of the pod and not of the container: the user namespace
 * is the pod's, so what one container may do counts in the mounts of the others (host/sshd/volumes.ts).
 *
 * What remains that the node does with paths of the pod's: an emptyDir is emptied without following links, a subPath is
 * opened without following them, owners of a volume's files are changed before the pod has it, and `/etc/hosts`,
 * `resolv.conf` and the termination log are files mounted alone, whose folder the pod cannot reach.
 */
const unwrittenVolumes: AdmissionRule = {
  expression: `${noEngine} || ${spec}.?volumes.orValue([]).all(volume, has(volume.emptyDir) || has(volume.persistentVolumeClaim) || has(volume.ephemeral))`,
  message: `a pod here with one of the capabilities ${engineCapabilities.join(", ")} has no volumes but emptyDir, persistentVolumeClaim and ephemeral, and no token of the API`,
};

/** AppArmor's profile of the runtime refuses every mount, so an engine needs to be without; only in users of the pod's own. */
function appArmor(containersInside: boolean): AdmissionRule {
  const ofRuntime = [
    `${ofPod}.?appArmorProfile.?type.orValue('RuntimeDefault') == 'RuntimeDefault'`,
    everyContainer(
      `${ofContainer}.?appArmorProfile.?type.orValue('RuntimeDefault') ${containersInside ? `in (${ownUsers} ? ['RuntimeDefault', 'Unconfined'] : ['RuntimeDefault'])` : "== 'RuntimeDefault'"}`,
    ),
  ].join(" && ");
  return {
    expression: ofRuntime,
    message: containersInside
      ? "the AppArmor profile here is the runtime's own, or Unconfined of a container in a pod with hostUsers: false"
      : "the AppArmor profile here is the runtime's own",
  };
}

/**
 * In a pod with users of its own an engine's capabilities mean no more than the others; in any other pod a container may
 * add NET_BIND_SERVICE alone.
 */
function podsPolicy({ namespace, allowedServiceAccountNames, containersInside }: Args): AdmissionPolicy {
  const accounts = ["default", ...allowedServiceAccountNames];
  const mayAdd = containersInside ? [...capabilities, ...engineCapabilities] : capabilities;
  return {
    name: "pods",
    requests: [{ apiGroup: "", resources: ["pods", "pods/ephemeralcontainers"] }],
    namespace,
    variables: [
      {
        name: "containers",
        expression: `${spec}.containers + ${spec}.?initContainers.orValue([]) + ${spec}.?ephemeralContainers.orValue([])`,
      },
    ],
    rules: [
      {
        expression: `${ownUsers} || ${restricted}`,
        message:
          "a pod here has hostUsers: false, or every container is as Pod Security restricted asks; a cluster that drops hostUsers has no user namespaces",
      },
      {
        expression: ["hostNetwork", "hostPID", "hostIPC"]
          .map((field) => `!${spec}.?${field}.orValue(false)`)
          .join(" && "),
        message: "a pod here has no namespace of its node: no hostNetwork, hostPID or hostIPC",
      },
      {
        expression: `${spec}.?volumes.orValue([]).all(volume, ${volumeKinds.map((kind) => `has(volume.${kind})`).join(" || ")})`,
        message: `a volume here is one of ${volumeKinds.join(", ")}; another goes into a PersistentVolume`,
      },
      {
        expression: everyContainer(`!${ofContainer}.?privileged.orValue(false)`),
        message: "no container here is privileged",
      },
      {
        expression: everyContainer(
          `${ofContainer}.?capabilities.?add.orValue([]).all(name, name in ${list(mayAdd)})`,
        ),
        message: `a container here may add the capabilities ${mayAdd.join(", ")}, and no others`,
      },
      {
        expression: everyContainer(
          `${ofContainer}.?capabilities.?drop.orValue([]).exists(name, name in ['NET_RAW', 'ALL'])`,
        ),
        message:
          "every container here drops NET_RAW, or ALL: with raw packets it would answer for other pods' addresses",
      },
      ...(containersInside ? [unwrittenVolumes] : []),
      {
        expression: everyContainer(
          `${ofContainer}.?seccompProfile.?type.orValue(${ofPod}.?seccompProfile.?type.orValue('')) == 'RuntimeDefault'`,
        ),
        message: "every container here has the seccomp profile RuntimeDefault, its own or its pod's",
      },
      appArmor(containersInside),
      {
        expression: ["seLinuxOptions", "windowsOptions"]
          .map((field) => `!has(${spec}.securityContext.${field})`)
          .map((test) => `(!has(${spec}.securityContext) || ${test})`)
          .concat(everyContainer(`!${ofContainer}.?seLinuxOptions.hasValue()`))
          .concat(everyContainer(`!${ofContainer}.?windowsOptions.hasValue()`))
          .join(" && "),
        message: "a pod here has neither seLinuxOptions nor windowsOptions",
      },
      {
        expression: everyContainer(`${ofContainer}.?procMount.orValue('Default') == 'Default'`),
        message: "the /proc of a container here is the runtime's own: no procMount",
      },
      {
        expression: `${ofPod}.?sysctls.orValue([]).all(one, one.name in ${list(safeSysctls)})`,
        message: "a pod here sets no sysctl but those that Kubernetes calls safe",
      },
      {
        expression: everyContainer("one.?ports.orValue([]).all(port, port.?hostPort.orValue(0) == 0)"),
        message: "a container here takes no port of its node: no hostPort",
      },
      {
        expression: [
          `${spec}.?resourceClaims.orValue([]).size() == 0`,
          everyContainer("one.?volumeDevices.orValue([]).size() == 0"),
          everyContainer(plainResources("limits")),
          everyContainer(plainResources("requests")),
        ].join(" && "),
        message:
          "a pod here has no device but GPUs by their device plugins: no volumeDevices, no resourceClaims, no other extended resource",
      },
      {
        expression: `${spec}.?serviceAccountName.orValue('default') in ${list(accounts)}`,
        message: `a pod here runs as one of the service accounts ${accounts.join(", ")}, which the platform names`,
      },
    ],
  };
}

/** A port of every node would lead past the gateway to a root that is not the platform's. */
function servicesPolicy(namespace: string): AdmissionPolicy {
  return {
    name: "services",
    requests: [{ apiGroup: "", resources: ["services"] }],
    namespace,
    rules: [
      {
        expression: `${spec}.?type.orValue('ClusterIP') == 'ClusterIP'`,
        message: "a Service here is of type ClusterIP: no port of the nodes, no LoadBalancer",
      },
    ],
  };
}
