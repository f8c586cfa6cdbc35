import { expect, it } from "vitest";
import {
  flag,
  list,
  maybe,
  objectName,
  oneOf,
  record,
  text,
  time,
  Unreadable,
  whole,
  words,
} from "./read.ts";

const read = record({
  flag,
  count: whole(1, 9),
  word: oneOf("a", "b"),
  name: objectName,
  time,
  notes: maybe(list(words, 2)),
  inner: maybe(record({ text: text("short", undefined, 3) })),
});
const good = { flag: true, count: 1, word: "a", name: "dev.1-x", time: "2026-01-01T00:00:00Z" };

it("gives the fields that it names, and of the others nothing", () => {
  const value = { ...good, notes: ["x".repeat(2000), "y"], inner: { text: "abc", more: 1 }, more: [] };
  expect(read(value, "")).toEqual({
    ...{ flag: true, count: 1, word: "a", name: "dev.1-x", time: Date.UTC(2026, 0, 1) },
    notes: ["x".repeat(1000), "y"],
    inner: { text: "abc" },
  });
  expect(Object.keys(read({ ...good, notes: null, inner: undefined }, ""))).toEqual(Object.keys(good));
});

it.each<[object | null, string]>([
  [null, "it is not an object"],
  [[], "it is not an object"],
  [{ flag: 1 }, "flag is not true or false"],
  [{ count: 0 }, "count is not a whole number from 1 to 9"],
  [{ count: 10 }, "count is not a whole number from 1 to 9"],
  [{ count: "1" }, "count is not a whole number from 1 to 9"],
  [{ word: "c" }, "word is not one of a, b"],
  [{ name: "A" }, "name is not a name"],
  [{ name: "../x" }, "name is not a name"],
  [{ name: "a".repeat(254) }, "name is not a name"],
  [{ time: "1969-01-01T00:00:00Z" }, "time is not a time"],
  [{ time: "2026" }, "time is not a time"],
  [{ notes: ["1", "2", "3"] }, "notes is not a list of at most 2"],
  [{ notes: ["1", 2] }, "notes[1] is not a text"],
  [{ inner: { text: "abcd" } }, "inner.text is not short"],
  [{ inner: Object.create({ text: "abc" }) }, "inner.text is not short"],
])("refuses %j and says where", (fault, sentence) => {
  const value = fault === null || Array.isArray(fault) ? fault : { ...good, ...fault };
  expect(() => read(value, "")).toThrow(new Unreadable(sentence));
});
