/** Which fields of a container's objects are open to patches, and which of the objects it has. */

import type { RaiseFault } from "../kit/schema.ts";
import { checkPatch, type OpenPaths } from "../kubernetes/patch.ts";
import type { DevContainerParsed } from "./args.ts";

type Args = Partial<DevContainerParsed>;
export type ContainerObject = keyof DevContainerParsed["patches"];

const pod = "spec.template.spec";

// Most have no argument; one that gets an argument stays here, since programs may patch it.
const ofPod = [
  "dnsPolicy",
  "dnsConfig",
  "hostAliases",
  "schedulerName",
  "schedulingGates",
  "readinessGates",
  "preemptionPolicy",
  "resourceClaims",
  "overhead",
  "setHostnameAsFQDN",
];

const ofContainer = [
  "livenessProbe",
  "readinessProbe",
  "startupProbe",
  "resources",
  "resizePolicy",
  "workingDir",
  "terminationMessagePath",
  "terminationMessagePolicy",
  "stdin",
  "tty",
];

const claim = ["spec.dataSource", "spec.dataSourceRef", "spec.volumeAttributesClassName", "spec.volumeName"];

/** What is open besides labels and annotations. The other objects keep strangers out, or clients know the container by them. */
const open: Partial<Record<ContainerObject, OpenPaths>> = {
  workload: [
    "spec.minReadySeconds",
    "spec.updateStrategy",
    ...ofPod.map((field) => `${pod}.${field}`),
    ...ofContainer.map((field) => `${pod}.containers.dev.${field}`),
  ],
  service: [
    "spec.ipFamilies",
    "spec.ipFamilyPolicy",
    "spec.internalTrafficPolicy",
    "spec.trafficDistribution",
  ],
  home: claim,
  persist: claim,
  disruption: ["spec.unhealthyPodEvictionPolicy"],
};

function openPaths(object: ContainerObject, { ssh }: Args): OpenPaths {
  const paths = open[object] ?? [];
  if (object !== "workload" || ssh?.mode !== "sidecar") return paths;
  return [...paths, ...ofContainer.map((field) => `${pod}.initContainers.sshd.${field}`)];
}

/** The fault of a patch for an object that the container does not have; undefined if it has it. */
function absence(object: ContainerObject, { home, persist, access, ssh }: Args) {
  switch (object) {
    case "home":
      return home?.claimName === undefined
        ? undefined
        : "has nothing to change: home.claimName adopts a claim, which is never changed";
    case "persist":
      if (persist?.claimName !== undefined)
        return "has nothing to change: persist.claimName adopts a claim, which is never changed";
      return (persist?.paths ?? []).length > 0 ? undefined : "has nothing to change without persist.paths";
    case "authorizedKeys":
    case "hostKey":
    case "sshd":
      return ssh?.mode === "none" ? "has nothing to change without sshd" : undefined;
    case "route":
      return access?.gateway === undefined ? "has nothing to change without access.gateway" : undefined;
    case "sshpod":
    case "sshpodBinding":
      return access?.sshpod === undefined ? "has nothing to change without access.sshpod" : undefined;
    default:
      return undefined;
  }
}

export function checkPatches(args: Args, fault: RaiseFault): void {
  for (const [name, patch] of Object.entries(args.patches ?? {})) {
    if (patch === undefined) continue;
    const object = name as ContainerObject;
    const absent = absence(object, args);
    if (absent !== undefined) fault`patches.${object}: ${absent}`;
    else checkPatch(["patches", object], patch, openPaths(object, args), fault);
  }
}
