/** Which fields of a container's objects are open to patches, and which of the objects it has. */
import { checkPatch, type OpenPaths } from "../common/patch.ts";
import type { RaiseFault } from "../common/schema.ts";
import type { DevContainerParsed } from "./args.ts";

type Args = Partial<DevContainerParsed>;
export type ContainerObject = keyof DevContainerParsed["patches"];

const pod = "spec.template.spec";

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

function openPaths(object: ContainerObject, args: Args): OpenPaths {
  switch (object) {
    case "workload":
      return [
        "spec.minReadySeconds",
        "spec.updateStrategy",
        ...ofPod.map((field) => `${pod}.${field}`),
        ...ofContainer.map((field) => `${pod}.containers.dev.${field}`),
        ...(args.ssh?.mode === "sidecar"
          ? ofContainer.map((field) => `${pod}.initContainers.sshd.${field}`)
          : []),
      ];
    case "service":
      return ["ipFamilies", "ipFamilyPolicy", "internalTrafficPolicy", "trafficDistribution"].map(
        (field) => `spec.${field}`,
      );
    case "home":
    case "persist":
      return claim;
    case "disruption":
      return ["spec.unhealthyPodEvictionPolicy"];
    // These keep strangers out, or clients know the container by them.
    default:
      return [];
  }
}

/** The fault of a patch for an object that the container does not have; undefined if it has it. */
function absence(object: ContainerObject, { home, persist, persistVolume, access, ssh }: Args) {
  switch (object) {
    case "home":
      return home?.claimName === undefined ? undefined : "patch-of-existing-home";
    case "persist":
      if (persistVolume?.claimName !== undefined) return "patch-of-existing-persist";
      return (persist ?? []).length > 0 ? undefined : "patch-of-nothing-persisted";
    case "authorizedKeys":
    case "hostKey":
    case "sshd":
      return ssh?.mode === "none" ? "patch-without-sshd" : undefined;
    case "route":
      return access?.gateway === undefined ? "patch-without-gateway" : undefined;
    case "sshpod":
    case "sshpodBinding":
      return access?.sshpod === undefined ? "patch-without-sshpod" : undefined;
    default:
      return undefined;
  }
}

export function checkPatches(args: Args, fault: RaiseFault): void {
  for (const [name, patch] of Object.entries(args.patches ?? {})) {
    if (patch === undefined) continue;
    const object = name as ContainerObject;
    const absent = absence(object, args);
    if (absent !== undefined) fault(["patches", object], absent);
    else checkPatch(["patches", object], patch, openPaths(object, args), fault);
  }
}
