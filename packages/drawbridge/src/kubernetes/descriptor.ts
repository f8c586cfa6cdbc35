/**
 * A component as data: all that its class, the guard, the plugin, the pages and the tests must know of it. A class is a few
 * lines around its descriptor; `registry.ts` lists them.
 */
import type { z } from "zod";
import type { Input } from "../kit/input.ts";
import type { Resolve } from "../kit/resolve.ts";
import type { Objects } from "./objects.ts";

/** What is said of a name that another component has, by what has it. */
export const taken = {
  name: (name: string, owner: string) =>
    `"${name}" already belongs to ${owner}; set another name or namespace for one of the two`,
  domain: (name: string, owner: string) =>
    `"${name}" already belongs to ${owner}; set a different domain for each gateway of a cluster`,
  identity: (name: string, owner: string) =>
    `"${name}" is what the host key of ${owner} is derived for, so both would have one private key; leave identity out, or begin it with the host's own <namespace>/<name>/`,
  namespace: (name: string, owner: string) =>
    `"${name}" is the namespace of ${owner} already; set a different namespace for each team`,
};

/** A name to reserve for a component. */
export interface ReservedName {
  /** The argument that decides it. */
  readonly path: string;
  readonly name: Input<string>;
  readonly of: keyof typeof taken;
  /** Whether another component may have the same by default, as the same host has in two clusters. */
  readonly isDefault?: boolean;
}

/**
 * Whose namespace it stands in: the platform's own; a team's, which the platform may make for another stack (`team`), or
 * in which the team works (`inside`); or none, for the whole cluster.
 */
export type Place = "platform" | "team" | "inside" | "cluster";

export interface Descriptor<
  Args extends z.ZodType = z.ZodType,
  Plan = unknown,
  Secrets = unknown,
  Generated extends Objects = Objects,
> {
  /** Name of the class: its type token is `drawbridge:index:<title>`. */
  readonly title: string;
  /** Its folder, and the file of its interfaces. */
  readonly folder: string;
  readonly place: Place;
  /** Whether it only leads to what others made there, so that it does not show whose the namespace is. */
  readonly isWay?: boolean;
  /** How the interfaces of its arguments begin; its title if left out. */
  readonly prefix?: string;
  /** The entry point of the package that has it, where that is one of its own. */
  readonly entry?: string;
  readonly args: Args;
  /** Schemas of what it gives out, besides refs. */
  readonly outputs?: readonly z.ZodType[];
  plan(name: string, args: z.output<Args>): Plan;
  /** The values that are secret, or made of secrets. */
  secrets(plan: NoInfer<Plan>, resolve: Resolve): Secrets;
  objects(plan: NoInfer<Plan>, secrets: NoInfer<Secrets>): Generated;
  /** The pod template that it gives out. */
  template?(plan: NoInfer<Plan>, secrets: NoInfer<Secrets>, resolve: Resolve): Input<unknown>;
  /** Names that only this component may have, as far as they are known. */
  names?(plan: NoInfer<Plan>): readonly ReservedName[];
  /** Values that clients alone read: no object waits for them. */
  clientOnly?(args: z.output<Args>): readonly unknown[];
  /** Whether data of people lives in its namespace, which goes with that. */
  readonly keepsData?: boolean;
  /** Whether others stand behind what it makes, so that its removal opens them. */
  readonly isWall?: boolean;
  /** Whether people's sessions stand in the listeners that it makes. */
  readonly holdsSessions?: boolean;
  /** Whether its pod reaches the internet unless `egress` says otherwise. */
  readonly reachesInternet?: boolean;
}

/** A descriptor whose types are its own. */
export function descriptor<
  const Title extends string,
  Args extends z.ZodType,
  Plan,
  Secrets,
  Generated extends Objects,
>(
  of: Descriptor<Args, Plan, Secrets, Generated> & { readonly title: Title },
): Descriptor<Args, Plan, Secrets, Generated> & { readonly title: Title } {
  return of;
}

/** A component without secrets. */
export const noSecrets = () => undefined;
