/** A preview of components as they are is theirs, leaf by leaf; with any leaf otherwise, it is not. */
import fc from "fast-check";
import { beforeAll, expect, it } from "vitest";
import { everyArgument } from "../../../../test/support/engine/every-argument.ts";
import { type RegisteredState, registered } from "../../../../test/support/registered.ts";
import type { Change } from "../change.ts";
import { ownership } from "./index.ts";

// Every tenth argument of each component; all of them under the real engine, in test/engine/guard-made-again.test.ts.
const instances = everyArgument().filter((_, index) => index % 10 === 0);
let changes: Change[];

beforeAll(async () => {
  changes = (await registered(instances)).map(created);
}, 120_000);

function created({ urn, type, custom, parent, inputs, retainOnDelete }: RegisteredState): Change {
  const [types = "", name = ""] = parent.split("::").slice(2);
  return {
    op: "create",
    urn,
    type,
    name: urn.split("::").at(-1) ?? "",
    parent,
    component: name === "" ? undefined : { type: types.split("$").at(-1) ?? "", name },
    before: undefined,
    after: inputs,
    isCustom: custom,
    retained: false,
    options: { kept: retainOnDelete, ignoreChanges: [] },
    differing: [],
  };
}

const said = (all: readonly Change[]) => {
  const { found, foreign } = ownership(all);
  return [
    ...found.map(({ change, effect }) => `${change.urn} ${effect.text}`),
    ...foreign.map(({ urn }) => `${urn} is foreign`),
  ];
};

it("makes every component's objects again", () => {
  const own = changes.filter(({ isCustom }) => isCustom);
  expect(own.length).toBeGreaterThan(500);
  expect(said(changes)).toEqual([]);
});

it("makes them again from the registry of the stack's own setting", async () => {
  const some = instances.filter((_, index) => index % 5 === 0);
  const settings = { "drawbridge:imageRegistry": "registry.example.com/team" };
  const moved = (await registered(some, settings)).map(created);
  expect(JSON.stringify(moved)).toContain('"image":"registry.example.com/team/');
  expect(said(moved)).toEqual([]);
});

type Tree = Record<string, unknown>;
const isTree = (value: unknown): value is Tree => typeof value === "object" && value !== null;

/** Every place in an object that holds something, by its path. */
function places(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  const below = isTree(value)
    ? Object.entries(value).flatMap(([key, one]) => places(one, [...path, key]))
    : [];
  return path.length === 0 ? below : [path, ...below];
}

function mutated(value: unknown, [key = "", ...rest]: readonly string[], change: Mutation): unknown {
  if (!isTree(value)) throw new Error("no such place");
  const copy = (Array.isArray(value) ? [...value] : { ...value }) as Tree;
  if (rest.length > 0) copy[key] = mutated(copy[key], rest, change);
  else if (change === "removed") delete copy[key];
  else if (change === "beside") copy[`${key}x`] = "other";
  else
    copy[key] = { hidden: "[secret]", unknown: "04da6b54-80e4-46f7-96ec-b56ff0331ba9", other: "other" }[
      change
    ];
  return copy;
}

const mutations = ["removed", "beside", "hidden", "unknown", "other"] as const;
type Mutation = (typeof mutations)[number];

it("tells of any leaf that it is another", () => {
  const own = changes.filter(({ isCustom }) => isCustom);
  const one = fc.record({
    object: fc.constantFrom(...own),
    at: fc.nat(),
    mutation: fc.constantFrom(...mutations),
  });
  const silent: string[] = [];
  fc.assert(
    fc.property(one, ({ object, at, mutation }) => {
      const all = places(object.after);
      const place = all[at % all.length] ?? [];
      const after = mutated(object.after, place, mutation) as Change["after"];
      const owner = changes.find(({ urn }) => urn === object.parent) as Change;
      const family = changes.filter(({ parent }) => parent === owner.urn);
      const preview = [owner, ...family.map((child) => (child === object ? { ...child, after } : child))];
      if (JSON.stringify(after) === JSON.stringify(object.after) || said(preview).length > 0) return;
      silent.push(`${object.type} ${place.join(".")} ${mutation}`);
    }),
    { numRuns: 2000, seed: 45 },
  );
  // The data of a Secret is hidden as a whole, and what is made of one may be any text.
  const known =
    / (data (hidden|unknown)|\S*(public-keys|host-keys|secret-env|credentials|tokenSha256|frps-certificate)( \w+)?)$/;
  expect(silent.filter((text) => !known.test(text))).toEqual([]);
});

it("tells of an object that is left out, another that is beside it, and options that are not its own", () => {
  const owner = changes.find(({ type }) => type === "drawbridge:index:DevContainer") as Change;
  const family = changes.filter(({ parent }) => parent === owner.urn);
  const home = family.find(({ type }) => type.endsWith(":PersistentVolumeClaim")) as Change;
  const others = family.filter((one) => one !== home);
  const beside = { ...home, urn: `${home.urn}-2` };
  const options = (more: object) => ({ ...home, options: { kept: true, ignoreChanges: [], ...more } });
  expect(said([owner, home, ...others])).toEqual([]);
  expect(said([owner, ...others])).toEqual([
    `${owner.urn} its PersistentVolumeClaim ${home.name} is not made, which its arguments ask for`,
  ]);
  expect(said([owner, home, beside, ...others])).toEqual([`${beside.urn} is foreign`]);
  expect(said([owner, options({ kept: false }), ...others])).toEqual([
    `${home.urn} it would not be kept when it is deleted`,
  ]);
  expect(said([owner, options({ ignoreChanges: ["spec"] }), ...others])).toEqual([
    `${home.urn} changes of its spec would be ignored`,
  ]);
  const unseen = `the arguments of ${owner.name} are not in the preview; take it with --show-sames`;
  expect(said(family)).toEqual(family.map(({ urn }) => `${urn} ${unseen}`));
});
