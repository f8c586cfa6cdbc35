/** Names that only one component of a program may use in one cluster. Names of other programs are not known here. */

import * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import { type Fault, wrong } from "../../kit/fault.ts";
import { isDeferred, type Placed } from "../../kit/placed.ts";

/** A component, one object for all the times that it asks for names. */
interface Owner {
  /** What faults call it. */
  readonly title: string;
}

/** Owner of each name with its code, by cluster. */
type Owners = Map<string, Owner>;

/** The names taken in a run of a program, which its root resource stands for, by the provider of the cluster. */
const ownersOf = new WeakMap<pulumi.Resource, WeakMap<object, Owners>>();

/** A name to reserve for a component. */
export interface ReservedName {
  /** The argument that decides it. */
  readonly path: string;
  readonly name: Placed<string>;
  /** Fault if the name is taken. */
  readonly code: "name-taken" | "domain-taken" | "namespace-taken";
}

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
  const owners = root === undefined ? new Map<string, Owner>() : ownersIn(root, opts);
  return (names) => {
    const known = names.flatMap(({ name, ...more }) => (isDeferred(name) ? [] : [{ ...more, name }]));
    const faults = known.flatMap(({ path, name, code }) => {
      const owner = owners.get(`${code} ${name}`) ?? own;
      return owner === own ? [] : [{ path: [path], ...wrong(code, { name, owner: owner.title }) }];
    });
    if (faults.length === 0) for (const { name, code } of known) owners.set(`${code} ${name}`, own);
    return faults;
  };
}

function ownersIn(root: pulumi.Resource, opts: pulumi.ComponentResourceOptions | undefined): Owners {
  const clusters = ownersOf.get(root) ?? new WeakMap<object, Owners>();
  ownersOf.set(root, clusters);
  const cluster = kubernetesProvider(opts) ?? root;
  const owners = clusters.get(cluster) ?? new Map<string, Owner>();
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
