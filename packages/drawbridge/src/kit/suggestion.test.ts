import fc from "fast-check";
import { expect, it } from "vitest";
import { nearest } from "./suggestion.ts";

const keys = ["authorizedKeys", "image", "home", "hostKey", "wait", "gateway", "name", "namespace"];

it.each([
  ["authorisedKeys", "authorizedKeys"],
  ["authorized_keys", "authorizedKeys"],
  ["Image", "image"],
  ["hoem", "home"],
  ["hostkey", "hostKey"],
  ["wiat", "wait"],
  ["gatway", "gateway"],
  ["nmae", "name"],
  ["something", undefined],
  ["", undefined],
  ["xy", undefined],
])("%j was meant to be %j", (word, meant) => {
  expect(nearest(word, keys)).toBe(meant);
});

it("finds a name again in which two neighbours are swapped, or one letter is wrong", () => {
  const long = keys.filter((key) => key.length >= 5);
  fc.assert(
    fc.property(
      fc.constantFrom(...long),
      fc.nat(),
      fc.constantFrom("swap", "drop", "double"),
      (key, at, slip) => {
        const index = at % (key.length - 1);
        const [a = "", b = ""] = [key[index], key[index + 1]];
        const middle = { swap: b + a, drop: b, double: a + a + b }[slip];
        expect(nearest(key.slice(0, index) + middle + key.slice(index + 2), keys)).toBe(key);
      },
    ),
  );
});
