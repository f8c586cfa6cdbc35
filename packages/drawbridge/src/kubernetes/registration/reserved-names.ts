/**
 * Names that only one component of a program may use in one cluster, and what secrets are derived for, in all of them.
 * Names of other programs are not known here.
 */

import * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import type { Fault } from "../../kit/fault.ts";
import { isDeferred } from "../../kit/input.ts";
import { type ReservedName, taken } from "../descriptor.ts";

/** A component, one object for all the times that it asks for names. */
interface Owner {
  /** What faults call it. */
  readonly title: string;
}

/** Owner of each name with its code, and whether its name follows from others. */
type Owners = Map<string, { readonly owner: Owner; readonly isDefault: boolean }>;

/** The names taken in a run of a program, which its root resource stands for, by the provider of the cluster. */
const ownersOf = new WeakMap<pulumi.Resource, WeakMap<object, Owners>>();

/** Under which the names stand that hold for all clusters. */
const everyCluster = {};

/**
 * Takes names for a component, those that are known, or says which belong to others: once before super(), so that a
 * component whose names are taken registers nothing, and again when more of them are known.
 */
export function reservation(
  component: string,
  instance: string,
  opts: pulumi.ComponentResourceOptions | undefined,
): (names: readonly ReservedName[]) => Fault[] {
  const own: Owner = { title: `${component} "${instance}"` };
  // Without a stack (unit tests with mocks, plugins) there is no telling which components belong together.
  const root = pulumi.runtime.getStackResource();
  const ownersBy = (cluster: object): Owners => (root === undefined ? new Map() : ownersIn(root, cluster));
  const names = ownersBy(kubernetesProvider(opts) ?? root ?? own);
  const identities = ownersBy(everyCluster);
  return (given) => {
    const known = given.flatMap(({ name, of, isDefault = false, ...more }) =>
      isDeferred(name)
        ? []
        : [{ ...more, name, of, isDefault, owners: of === "identity" ? identities : names }],
    );
    const faults = known.flatMap(({ path, name, of, isDefault, owners }) => {
      const other = owners.get(`${of} ${name}`);
      const isFree = other === undefined || other.owner === own || (other.isDefault && isDefault);
      return isFree ? [] : [{ path: path.split("."), message: taken[of](name, other.owner.title) }];
    });
    if (faults.length === 0)
      for (const { name, of, isDefault, owners } of known)
        owners.set(`${of} ${name}`, { owner: own, isDefault });
    return faults;
  };
}

function ownersIn(root: pulumi.Resource, cluster: object): Owners {
  const clusters = ownersOf.get(root) ?? new WeakMap<object, Owners>();
  ownersOf.set(root, clusters);
  const owners: Owners = clusters.get(cluster) ?? new Map();
  clusters.set(cluster, owners);
  return owners;
}

/** The provider that the component's children get; undefined for the default one. */
function kubernetesProvider(
  opts: pulumi.ComponentResourceOptions | undefined,
): pulumi.ProviderResource | undefined {
  const own = [opts?.provider, ...Object.values(opts?.providers ?? {})];
  return (
    own.find((provider) => k8s.Provider.isInstance(provider)) ??
    opts?.parent?.getProvider("kubernetes:core/v1:Namespace")
  );
}
