import { at, type JsonMap } from "../../kube/object.ts";
import { isWithin, type Path, parsePath } from "../values/paths.ts";
import type { ValueMap } from "../values/property.ts";
import type { Gvk } from "./type-token.ts";

/** What the provider's configuration says about replacement. */
export interface Mutability {
  readonly configMaps: boolean;
  readonly secrets: boolean;
}

/** The fields of each kind that the API refuses to change, so that a change means a new object. */
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  "apps/Deployment": ["spec.selector"],
  "apps/DaemonSet": ["spec.selector"],
  "apps/StatefulSet": [
    "spec.podManagementPolicy",
    "spec.revisionHistoryLimit",
    "spec.selector",
    "spec.serviceName",
    "spec.volumeClaimTemplates",
  ],
  "batch/Job": ["spec.completions", "spec.parallelism", "spec.selector", "spec.template"],
  "rbac.authorization.k8s.io/ClusterRoleBinding": ["roleRef"],
  "rbac.authorization.k8s.io/RoleBinding": ["roleRef"],
  "storage.k8s.io/StorageClass": ["parameters", "provisioner"],
  "/PersistentVolume": ["spec.csi", "spec.hostPath", "spec.local", "spec.nfs"],
  "/PersistentVolumeClaim": ["spec.accessModes", "spec.selector", "spec.storageClassName", "spec.volumeName"],
  "/Pod": ["spec"],
  "/ResourceQuota": ["spec.scopes"],
  "/Secret": ["type"],
  "/Service": ["spec.clusterIP"],
};
const IDENTITY = ["metadata.name", "metadata.namespace"];

/** The paths whose change replaces an object instead of updating it. */
export function forceNewPaths({ group, kind }: Gvk, inputs: ValueMap, mutability: Mutability): Path[] {
  const own = FIELDS[`${group}/${kind}`] ?? [];
  const immutable = inputs.immutable === true;
  const content =
    group !== ""
      ? []
      : kind === "ConfigMap" && (immutable || !mutability.configMaps)
        ? ["data", "binaryData"]
        : kind === "Secret" && (immutable || !mutability.secrets)
          ? ["data"]
          : [];
  return [...IDENTITY, ...own, ...content].map(parsePath);
}

/**
 * Whether a change at `path` touches one of the paths: it lies at or below one, or it adds or removes something big
 * that holds one.
 */
export function forcesNew(path: Path, before: ValueMap, after: ValueMap, forceNew: readonly Path[]): boolean {
  return forceNew.some((fixed) => {
    if (isWithin(path, fixed)) return true;
    if (!isWithin(fixed, path)) return false;
    return [before, after].some((object) => at(object as JsonMap, ...fixed) !== undefined);
  });
}
