/** Names that only one component of a program may have in one cluster. What other programs have, only the cluster knows. */
import { ArgsError, issueOf, wrong } from "@drawbridge-iac/manifests";
import * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import { InvalidArgsError } from "./invalid-args.ts";

/** Whom each name belongs to, by cluster. */
type Owners = Map<string, string>;

/** The names taken in a run of a program, which its root resource stands for, by the provider of the cluster. */
const ownersOf = new WeakMap<pulumi.Resource, WeakMap<object, Owners>>();

/** A name that a component wants for itself. */
export interface ReservedName {
  /** The argument that decides it. */
  readonly path: string;
  readonly name: string;
  /** What is wrong if somebody has it. */
  readonly code: "name-taken" | "domain-taken";
}

/** Called before super(), so that a component whose names are taken registers nothing. */
export function reserveNames(
  component: string,
  instance: string,
  names: readonly ReservedName[],
  opts: pulumi.ComponentResourceOptions | undefined,
): void {
  // Without a stack (unit tests with mocks, plugins) there is no telling which components belong together.
  const root = pulumi.runtime.getStackResource();
  if (root === undefined) return;
  const clusters = ownersOf.get(root) ?? new WeakMap<object, Owners>();
  ownersOf.set(root, clusters);
  const cluster = kubernetesProvider(opts) ?? root;
  const owners = clusters.get(cluster) ?? new Map<string, string>();
  clusters.set(cluster, owners);

  const owner = `${component} "${instance}"`;
  const faults = names.flatMap(({ path, name, code }) => {
    const taken = owners.get(name);
    return taken === undefined ? [] : [issueOf({ path: [path], ...wrong(code, { name, owner: taken }) })];
  });
  if (faults.length > 0) throw new InvalidArgsError(new ArgsError(component, instance, faults));
  for (const { name } of names) owners.set(name, owner);
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
