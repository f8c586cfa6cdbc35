/**
 * What a preview does not show of components of which one argument comes later. A leaf is a text, a number or a yes-or-no in
 * an object, or all data of a Secret, which the provider hides as a whole.
 */
import * as pulumi from "@pulumi/pulumi";
import type { EngineEvent, PulumiFn } from "@pulumi/pulumi/automation/index.js";
import { isSecretPlace } from "../../packages/drawbridge/src/kit/secret-places.ts";
import { valueAt } from "../../packages/drawbridge/src/stacks/yaml.ts";
import { type DigestResource, unknown } from "../../scripts/lib/engine/digest.ts";
import { noCluster, testStack } from "../../scripts/lib/engine/engine.ts";
import { type Path, placesIn } from "../../scripts/lib/trials/edit.ts";
import { everyArgument, type Instance, schemaOf } from "../support/engine/every-argument.ts";

/** A component of which the argument at `path` comes later. */
export interface Case extends Instance {
  readonly path: Path;
}

/** Each argument that may come later, once, whole and in its parts: in a component of its own. */
export function laterArguments(): Case[] {
  const seen = new Set<string>();
  const cases = everyArgument().flatMap((instance) =>
    placesIn(instance.args)
      .filter((path) => {
        const key = `${instance.kind} ${path.map((part) => (typeof part === "number" ? "[]" : part)).join(".")}`;
        if (seen.has(key) || !mayComeLater(instance, path)) return false;
        seen.add(key);
        return true;
      })
      .map((path) => ({ ...instance, path })),
  );
  return cases.map((one, index) => {
    // Domains and names are one component's.
    const name = `case${index}x`;
    const own = JSON.stringify(one.args).replaceAll(one.name, name);
    const args = JSON.parse(own.replaceAll(/(own|injected)\.ssh\.example/g, `${name}.ssh.example`));
    return {
      ...one,
      name,
      args: args.name === undefined ? args : { ...args, name: `${args.name}${index}x` },
    };
  });
}

function mayComeLater({ kind, args }: Instance, path: Path): boolean {
  const given = withValue(args, path, pulumi.output(""));
  return schemaOf(kind).safeParse(given).success;
}

/** A copy with `value` at `path`. */
export function withValue<T>(args: T, [key, ...rest]: Path, value: unknown): T {
  if (key === undefined) return value as T;
  const copy = (Array.isArray(args) ? [...args] : { ...args }) as Record<string | number, unknown>;
  copy[key] = withValue(copy[key], rest, value);
  return copy as T;
}

export const isSecretArgument = ({ kind, path, args }: Case) =>
  isSecretPlace(schemaOf(kind), path) && typeof valueAt(args, path) === "string";

/** What each component registers, by the component's name: itself, and its objects by theirs. */
export type Planned = Map<string, Map<string, DigestResource>>;

/** A preview of the program, read; and the errors that it says. */
export async function planned(program: PulumiFn): Promise<{ components: Planned; said: string[] }> {
  const { stack, removeState } = await testStack(program, { env: { ...noCluster } });
  const said: string[] = [];
  const states: DigestResource[] = [];
  const onEvent = ({ resourcePreEvent, diagnosticEvent }: EngineEvent) => {
    const state = resourcePreEvent?.metadata.new;
    if (state !== undefined) states.push({ ...state, custom: state.custom === true });
    if (diagnosticEvent?.severity === "error") said.push(diagnosticEvent.message);
  };
  await stack.preview({ onEvent }).catch(() => undefined);
  await removeState();
  const components = states
    .filter(({ type }) => type.startsWith("drawbridge:"))
    .map((state): [string, Map<string, DigestResource>] => {
      const own = [state, ...states.filter(({ parent }) => parent === state.urn)];
      return [nameOf(state), new Map(own.map((one) => [`${one.type} ${nameOf(one)}`, one]))];
    });
  return { components: new Map(components), said };
}

const nameOf = ({ urn }: DigestResource) => urn.split("::").at(-1) ?? "";

/** A place in an object that is shown in one preview and not in the other. */
interface Mask {
  readonly object: string;
  readonly at: string;
  /** What stands there otherwise. */
  readonly plain: unknown;
}

export const isMask = (value: unknown) =>
  typeof value === "string" && (value.includes(unknown) || value === "[secret]");

/**
 * The masks of what one component registers, beside the same one without them. What differs otherwise is told as a mask of
 * more than a leaf.
 */
export function masksOf(
  masked: ReadonlyMap<string, DigestResource> | undefined,
  plain: ReadonlyMap<string, DigestResource> | undefined,
): Mask[] {
  const names = [...new Set([...(masked?.keys() ?? []), ...(plain?.keys() ?? [])])];
  return names.flatMap((object) => {
    const found: Mask[] = [];
    compare(masked?.get(object)?.inputs, plain?.get(object)?.inputs, "");
    return found;

    function compare(one: unknown, other: unknown, at: string): void {
      if (isMask(one) && one !== other) found.push({ object, at, plain: other });
      else if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) {
        if (one !== other) found.push({ object, at, plain: { is: one, was: other } });
      } else {
        for (const key of new Set([...Object.keys(one), ...Object.keys(other)]))
          compare(one[key as never], other[key as never], `${at}.${key}`);
      }
    }
  });
}

/** Where anything is masked. */
export const masksIn = (objects: ReadonlyMap<string, DigestResource> | undefined): string[] =>
  [...(objects ?? [])].flatMap(([name, { inputs }]) => maskedIn(inputs, name));

function maskedIn(value: unknown, at: string): string[] {
  if (isMask(value)) return [at];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => maskedIn(inner, `${at}.${key}`));
}
