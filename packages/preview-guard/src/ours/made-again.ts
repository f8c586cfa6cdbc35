/** A component's objects, made again from the arguments that a preview shows. */
import { ArgsError, type Declared, parseArgs, withRegistry } from "@drawbridge-iac/manifests";
import { at } from "../finding.ts";
import type { Inputs } from "../objects.ts";
import { type Component, components } from "./components.ts";
import { withStandIns } from "./stand-in.ts";

export interface Made {
  /** By URN. */
  readonly objects: ReadonlyMap<string, Declared>;
  /** The pod template that it gives out. */
  readonly template: unknown;
}

/** The component of ours of this type. */
export const componentOf = (type: string): Component | undefined =>
  type.startsWith("drawbridge:index:") ? components[type.split(":").at(-1) ?? ""] : undefined;

/** As references have it: `core/Secret team-a/dev1-host-key`. */
export function titleOf({ manifest: { apiVersion, kind, metadata } }: Declared): string {
  const group = apiVersion.includes("/") ? apiVersion.split("/")[0] : "core";
  return `${group}/${kind} ${metadata.namespace}/${metadata.name}`;
}

/**
 * @param urn of the component
 * @returns a text that says why they cannot be made
 */
export function madeAgain(urn: string, { library, ...args }: Inputs): Made | string {
  const [types = "", name = ""] = urn.split("::").slice(2);
  const type = types.split("$").at(-1) ?? "";
  const component = componentOf(type);
  if (component === undefined) return `this version knows no ${type}`;
  try {
    const parsed = parseArgs(
      type.split(":").at(-1) ?? "",
      name,
      component.schema,
      withStandIns(args),
    ) as never;
    const registry = at(library, "imageRegistry");
    const moved = (object: Declared) =>
      typeof registry === "string"
        ? { ...object, manifest: withRegistry(object.manifest, registry) }
        : object;
    const objects = Object.entries(component.objects(name, parsed)).flatMap(([key, object]) =>
      object ? [[childUrn(urn, object, `${name}-${object.suffix ?? key}`), moved(object)] as const] : [],
    );
    return { objects: new Map(objects), template: component.template?.(name, parsed) };
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
