/**
 * Every field of a stack file with every wrong value: a fault at the place where the mistake was made, on its line, and
 * one only. Which values are wrong is said by the JSON Schema that editors use, which is not what reads the file.
 */
import { describe, expect, it } from "vitest";
import {
  type Config,
  complaintsOf,
  fileWith,
  kinds,
  type Mistake,
  mistakes,
  read,
} from "./mistakes.fixture.ts";

export const key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIIP3TcP/v/rkBFKgLWYo7EA03cRWd3p9llb7pjptlfgB carol";
/** What the rest of a team's file may come from. */
export const shared: Config = { platform: "platform", people: { carol: { keys: [key] } } };

export async function complaints(all: readonly Mistake[]): Promise<string[]> {
  const bad: string[] = [];
  for (const one of all) bad.push(...(await complaintsOf(one)));
  console.log(`${all.length} mistakes`);
  return bad;
}

/** @param every 1 for all mistakes, more for a part: each field has some, and each wrong value many fields */
export const eachField = (every: number) =>
  describe.each(Object.entries(kinds))("each field of a %s", (name, kind) => {
    const fields = Object.entries(kind.edits)
      // Without those that a file has in another place.
      .filter(
        ([field, { from, to }]) =>
          field !== "seed" && (name === "team" || !("namespace" in { ...from, ...to, [field]: true })),
      )
      .map(([field]) => field);
    const isTried = (_: Mistake, index: number) => index % every === 0;

    it("has a right value here, also beside a platform and people", async () => {
      const wrong: string[] = [];
      for (const field of fields) {
        for (const around of [{}, shared]) {
          const { faults } = await read(fileWith(kind, field, around));
          wrong.push(...faults.map(({ path, message }) => `${field}: ${path}: ${message}`));
        }
      }
      expect(wrong).toEqual([]);
    });

    it("with any other value is a fault, or no mistake", { timeout: 300_000 }, async () => {
      const all = fields.flatMap((field) => mistakes(kind, field)).filter(isTried);
      expect(await complaints(all)).toEqual([]);
    });

    it("is one fault beside a platform and people too", { timeout: 300_000 }, async () => {
      const some = ["null", "some text", "a list", "other case"];
      const all = fields
        .flatMap((field) => mistakes(kind, field, shared))
        .filter(({ what }) => some.includes(what) || what.startsWith("key "))
        .filter(isTried);
      expect(kind.at[0] === "drawbridge:team" ? await complaints(all) : []).toEqual([]);
    });
  });
