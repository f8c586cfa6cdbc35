/**
 * Arguments that come later, of every component: what is made of them once they are known is what is made of plain ones; and
 * while they are not, everything else is known already, which objects there are above all.
 */

import { parseArgs } from "@drawbridge-iac/drawbridge/src/kit/args-error";
import { type Input, isDeferred, whenSettled } from "@drawbridge-iac/drawbridge/src/kit/input";
import type { Resolve } from "@drawbridge-iac/drawbridge/src/kit/resolve";
import type { Args } from "@drawbridge-iac/drawbridge/src/kit/trials.fixture";
import type { Descriptor } from "@drawbridge-iac/drawbridge/src/kubernetes/descriptor";
import { registry } from "@drawbridge-iac/drawbridge/src/registry";
import { valueAt } from "@drawbridge-iac/drawbridge/src/stacks/yaml";
import fc from "fast-check";
import { expect, it } from "vitest";
import { edited, type Path, put } from "./edit.ts";
import { tried } from "./index.ts";

class Output {
  readonly __pulumiOutput = true;
}

/** An Output that is known at once, or never. */
function later<T>(value: T, isKnown: boolean): Input<T> {
  const apply = (make: (known: T) => unknown) => {
    if (!isKnown) return later(undefined, false);
    const made = make(value);
    return isDeferred(made) ? made : later(made, true);
  };
  const output = Object.assign(new Output(), { value, isKnown, apply });
  // Pulumi's lifts its fields.
  return new Proxy(output, {
    get: (target, key) =>
      Reflect.has(target, key) || key === "then" || typeof key === "symbol"
        ? Reflect.get(target, key)
        : apply((known) => (known as Record<string, unknown> | undefined)?.[key]),
  }) as unknown as Input<T>;
}

const unknown = "(unknown)";

/** What Pulumi's provider sees. */
function seen(value: unknown): unknown {
  if (isDeferred(value)) {
    const { isKnown, value: inner } = value as unknown as { isKnown: boolean; value: unknown };
    return isKnown ? seen(inner) : unknown;
  }
  if (Array.isArray(value)) return value.map(seen);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]) => [key, seen(inner)] as const);
  return Object.fromEntries(entries.filter(([, inner]) => inner !== undefined));
}

/** What is derived of secrets costs time on purpose, and is tested beside its source. */
const resolve: Resolve = {
  plain: whenSettled,
  derived: whenSettled,
  secret: (of) => whenSettled(of, (known) => JSON.stringify(known) as never),
  mark: (of) => whenSettled(of, () => "mark" as never),
};

interface Instance {
  readonly title: string;
  readonly args: Args;
}

const components: ReadonlyMap<string, Descriptor> = new Map(registry.map((one) => [one.title, one]));
const componentOf = ({ title }: Pick<Instance, "title">) => components.get(title) ?? expect.fail(title);
const instances: readonly Instance[] = [...tried].flatMap(([title, { trials, parts = {}, base }]) =>
  Object.entries({ ...trials, ...parts }).map(([path, trial]): Instance => {
    const { after } = edited(path, trial, base("it"));
    return { title, args: JSON.parse(JSON.stringify(after)) };
  }),
);

/** A component's objects and its pod template, with all that Pulumi is told of them. */
function made({ title, args }: Instance): unknown {
  const component = componentOf({ title });
  const plan = component.plan("it", parseArgs(component.title, "it", component.args, args));
  const secrets = component.secrets(plan, resolve);
  return seen({
    ...component.objects(plan, secrets),
    "pod template": component.template?.(plan, secrets, resolve),
  });
}

function placesIn(value: unknown, path: Path = []): Path[] {
  if (typeof value !== "object" || value === null) return path.length === 0 ? [] : [path];
  const entries: [string | number, unknown][] = Array.isArray(value)
    ? [...value.entries()]
    : Object.entries(value);
  const below = entries.flatMap(([key, inner]) => placesIn(inner, [...path, key]));
  return path.length === 0 ? below : [path, ...below];
}

const withLater = ({ title, args }: Instance, path: Path, isKnown: boolean): Instance => ({
  title,
  args: put(args, path, later(valueAt(args, path), isKnown)),
});

/** A list that comes later and is empty lets nobody in, where a plain one means all (`later-lists.test.ts`). */
const isEmptyList = (value: unknown) => Array.isArray(value) && value.length === 0;

/** The places of the arguments, whole lists and groups among them, that take an Output. */
const takers = instances.map((instance) => ({
  instance,
  places: placesIn(instance.args).filter(
    (path) =>
      !isEmptyList(valueAt(instance.args, path)) &&
      componentOf(instance).args.safeParse(withLater(instance, path, false).args).success,
  ),
}));

/** An instance and some of its places, none within another. */
const some = fc
  .constantFrom(...takers.filter(({ places }) => places.length > 0))
  .chain(({ instance, places }) =>
    fc.record({
      instance: fc.constant(instance),
      places: fc.subarray(places, { minLength: 1 }).map((all) => {
        const within = (one: Path, other: Path) =>
          one !== other && one.every((part, at) => part === other[at]);
        return all.filter((place) => !all.some((other) => within(other, place)));
      }),
    }),
  );

it("what comes later and is known makes the same objects", () => {
  fc.assert(
    fc.property(some, ({ instance, places }) => {
      const known = places.reduce((one, place) => withLater(one, place, true), instance);
      expect(made(known)).toEqual(made(instance));
    }),
    { numRuns: 400 },
  );
});

it("what comes later and is not known leaves all else as it is", () => {
  fc.assert(
    fc.property(some, ({ instance, places }) => {
      const hidden = places.reduce((one, place) => withLater(one, place, false), instance);
      expect(differences(made(hidden), made(instance))).toEqual([]);
    }),
    { numRuns: 400 },
  );
});

/** Where two differ although nothing is hidden there. */
function differences(one: unknown, other: unknown, at = ""): string[] {
  if (one === unknown || typeof one === "string") return isSeenAs(one, other) ? [] : [at];
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null)
    return one === other ? [] : [at];
  return [...new Set([...Object.keys(one), ...Object.keys(other)])].flatMap((key) =>
    differences(one[key as never], other[key as never], `${at}.${key}`),
  );
}

const isSeenAs = (one: string, other: unknown) => one === unknown || one === other;
