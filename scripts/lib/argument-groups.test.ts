import { readFileSync } from "node:fs";
import { registry } from "@drawbridge-iac/drawbridge/src/registry";
import { describe, expect, it } from "vitest";
import type { z } from "zod";
import { type ArgType, argumentGroups, effectAt, type Group } from "./argument-groups.ts";
import { effectsOf } from "./trials/effects.ts";
import { expectedVerdicts, triedKinds } from "./trials/index.ts";

/** For each edit that a test makes: what it does, and what its row or group says that it does. */
const tried = [...triedKinds].flatMap(([kind, one]) =>
  Object.entries(expectedVerdicts(one)).map(([path, verdict]) => ({
    place: `${kind}: ${path}`,
    does: effectsOf(verdict),
    said: effectAt(one.schema, path),
  })),
);

describe("the effect of an edit", () => {
  it("is said of every field", () => {
    expect(tried.length).toBeGreaterThan(300);
    expect(tried.filter(({ said }) => said === undefined).map(({ place }) => place)).toEqual([]);
  });

  // Whether the edits do what is expected of them is tried for real (guard-fields.test.ts in test/engine and test/long).
  it("is exactly what the row's edits do", () => {
    const rows = new Map<
      z.core.$ZodType | undefined,
      { places: string[]; said: Set<string>; does: Set<string> }
    >();
    for (const { place, does, said } of tried) {
      const row = rows.get(said?.by) ?? { places: [], said: new Set(said?.effect), does: new Set() };
      row.places.push(place);
      for (const effect of does) row.does.add(effect);
      rows.set(said?.by, row);
    }
    const wrong = [...rows.values()].filter(
      ({ said, does }) => said.size !== does.size || [...said].some((effect) => !does.has(effect)),
    );
    expect(wrong).toEqual([]);
  });

  it("crosses a wall on the page only where the guard refuses it", () => {
    const rows = readFileSync("docs/fields.md", "utf8")
      .split("\n")
      .filter((line) => line.startsWith("| `"));
    const crossing = rows.filter((row) => row.includes("crosses a wall"));
    expect(crossing.length).toBeGreaterThan(40);
    expect(crossing.filter((row) => !row.includes("| refused: "))).toEqual([]);
  });
});

// Which arguments take no output of another resource, and why.

/** The type of a leaf below its lists and maps, and whether it, or what it is in, may come later; undefined of a group. */
function leafOf(type: ArgType, isInput = false): { readonly isInput: boolean } | undefined {
  if (type.kind === "group") return undefined;
  return "of" in type ? leafOf(type.of, isInput || type.kind === "input") : { isInput };
}

/** The groups that a component's arguments are made of; what a ref is made of is an Input as a whole. */
function groupsBelow(name: string, groups: ReadonlyMap<string, Group>, found = new Set<string>()) {
  if (found.has(name)) return found;
  found.add(name);
  const inner = (type: ArgType): string[] =>
    type.kind === "group" ? [type.name] : "of" in type && type.kind !== "input" ? inner(type.of) : [];
  const { extends: bases = [], fields = [] } = groups.get(name) ?? {};
  for (const one of [...bases, ...fields.flatMap(({ type }) => inner(type))]) groupsBelow(one, groups, found);
  return found;
}

const groups = argumentGroups();

/** Every leaf once, in the group whose own it is. */
function leavesBelow(component: string) {
  return [...groupsBelow(component, groups)].flatMap((name) => {
    const { extends: bases = [], fields = [] } = groups.get(name) ?? {};
    const inherited = bases.flatMap((base) => groups.get(base)?.fields ?? []).map((field) => field.name);
    return fields.flatMap(({ name: field, type, plain }) => {
      const leaf = inherited.includes(field) ? undefined : leafOf(type);
      return leaf === undefined ? [] : [{ place: `${name}.${field}`, plain, ...leaf }];
    });
  });
}

const leaves = new Map(
  registry.flatMap(({ title }) => leavesBelow(`${title}Args`)).map((leaf) => [leaf.place, leaf]),
);

it("a leaf is an Input, or its row says why not", () => {
  expect(leaves.size).toBeGreaterThan(350);
  const wrong = [...leaves.values()].filter(({ isInput, plain }) => isInput !== (plain === undefined));
  expect(wrong.map(({ place }) => place)).toEqual([]);
});

it("at most 15 of 100 leaves are plain", () => {
  const plain = [...leaves.values()].filter(({ isInput }) => !isInput);
  expect(plain.length / leaves.size).toBeLessThanOrEqual(0.15);
});
