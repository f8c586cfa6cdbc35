/** The objects of components, made again by their own builders. */
import { ArgsError, parseArgs } from "@drawbridge-iac/drawbridge/src/kit/args-error";
import type { Descriptor, Place } from "@drawbridge-iac/drawbridge/src/kubernetes/descriptor";
import { withRegistry } from "@drawbridge-iac/drawbridge/src/kubernetes/images";
import type { Declared } from "@drawbridge-iac/drawbridge/src/kubernetes/objects";
import { registry } from "@drawbridge-iac/drawbridge/src/registry";
import { isOurs, kindOf, urnName, urnType } from "../change.ts";
import { at, type Inputs } from "../values.ts";
import { standIns, withStandIns } from "./stand-in.ts";

/** By the type's last part, `drawbridge:index:<Class>`. */
export const components: Readonly<Record<string, Descriptor>> = Object.fromEntries(
  registry.map((one) => [one.title, one]),
);

export interface Generated {
  /** By URN. */
  readonly objects: ReadonlyMap<string, Declared>;
  /** The pod template that it gives out. */
  readonly template: unknown;
}

/** The component of ours of this type. */
export const componentOf = (type: string): Descriptor | undefined =>
  isOurs(type) ? components[kindOf({ type })] : undefined;

/** The classes that stand in such namespaces. */
export const classesIn = (...places: readonly Place[]): string[] =>
  registry.filter(({ place }) => places.includes(place)).map(({ title }) => title);

const classesWhere = (is: (one: Descriptor) => boolean | undefined): string[] =>
  Object.values(components)
    .filter((one) => is(one) === true)
    .map(({ title }) => title);

/** The classes that others stand behind. */
export const walls: readonly string[] = classesWhere(({ isWall }) => isWall);

/** Those whose listeners hold people's sessions. */
export const holdingSessions: readonly string[] = classesWhere(({ holdsSessions }) => holdsSessions);

/** As references have it: `core/Secret team-a/dev1-host-key`. */
export function titleOf({ manifest: { apiVersion, kind, metadata } }: Declared): string {
  const group = apiVersion.includes("/") ? apiVersion.split("/")[0] : "core";
  return `${group}/${kind} ${metadata.namespace}/${metadata.name}`;
}

/** By arguments and URN: one verdict asks for them several times. */
const known = new WeakMap<Inputs, Map<string, Generated | string>>();

/**
 * @param urn of the component
 * @returns a text that says why they cannot be made
 */
export function generatedOf(urn: string, inputs: Inputs): Generated | string {
  const byUrn = known.get(inputs) ?? new Map<string, Generated | string>();
  known.set(inputs, byUrn);
  const made = byUrn.get(urn) ?? makeAgain(urn, inputs);
  byUrn.set(urn, made);
  return made;
}

function makeAgain(urn: string, { library, ...args }: Inputs): Generated | string {
  const [type, name] = [urnType(urn), urnName(urn)];
  const component = componentOf(type);
  if (component === undefined) return `this version knows no ${type}`;
  try {
    const parsed = parseArgs(component.title, name, component.args, withStandIns(args));
    const plan = component.plan(name, parsed);
    const secrets = component.secrets(plan, standIns);
    const registry = at(library, "imageRegistry");
    const moved = (object: Declared) =>
      typeof registry === "string"
        ? { ...object, manifest: withRegistry(object.manifest, registry) }
        : object;
    const objects = Object.entries(component.objects(plan, secrets)).flatMap(([key, object]) =>
      object ? [[childUrn(urn, object, `${name}-${object.suffix ?? key}`), moved(object)] as const] : [],
    );
    return { objects: new Map(objects), template: component.template?.(plan, secrets, standIns) };
  } catch (error) {
    // Another's words may hold the secret of which nothing can be made.
    return error instanceof ArgsError ? error.message : "nothing can be made of them";
  }
}

/** `urn:pulumi:<stack>::<project>::<parents>$<type>::<name>` */
function childUrn(parent: string, { manifest }: Declared, name: string): string {
  const { apiVersion, kind } = manifest;
  const type = `kubernetes:${apiVersion.includes("/") ? apiVersion : `core/${apiVersion}`}:${kind}`;
  const [stack = "", project = "", parents = ""] = parent.split("::");
  return [stack, project, `${parents}$${type}`, name].join("::");
}
