import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { z } from "zod";
import { effectsOf } from "../test/support/field-edits/effects.ts";
import { editedKinds, expectedVerdicts } from "../test/support/field-edits/index.ts";
import { effectAt } from "./lib/effects.ts";

/** For each edit that a test makes: what it does, and what its row or group says that it does. */
const tried = Object.entries(editedKinds).flatMap(([kind, edited]) =>
  Object.entries(expectedVerdicts(edited)).map(([path, verdict]) => ({
    place: `${kind}: ${path}`,
    does: effectsOf(verdict),
    said: effectAt(edited.schema, path),
  })),
);

describe("the effect of an edit", () => {
  it("is said of every field", () => {
    expect(tried.length).toBeGreaterThan(300);
    expect(tried.filter(({ said }) => said === undefined).map(({ place }) => place)).toEqual([]);
  });

  // Whether the edits do what is expected of them is tried for real (test/engine/guard-fields.test.ts).
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
