import { expect, test } from "vitest";
import { UNKNOWN, type ValueMap } from "../values/property.ts";
import { type Autonaming, withName } from "./manifest.ts";

const seed = new Uint8Array([1, 2, 3]);
const name = (inputs: ValueMap, olds: ValueMap = {}, autonaming?: Autonaming) =>
  withName(inputs, olds, { resourceName: "dev", seed, autonaming }).metadata;
const autonamed = { "pulumi.com/autonamed": "true" };

test("a name is made of the resource's and eight digits that the seed decides", () => {
  expect(name({})).toEqual({ name: "dev-039058c6", annotations: autonamed });
  expect(name({ metadata: { labels: { a: "b" }, annotations: { c: "d" } } })).toEqual({
    name: "dev-039058c6",
    labels: { a: "b" },
    annotations: { c: "d", ...autonamed },
  });
});

test("a chosen name stays, one that is not known yet too", () => {
  expect(name({ metadata: { name: "mine" } })).toEqual({ name: "mine" });
  expect(name({ metadata: { name: UNKNOWN } })).toEqual({ name: UNKNOWN });
  expect(name({ metadata: UNKNOWN })).toBe(UNKNOWN);
});

test("an object keeps the name that it was given before", () => {
  const olds = { metadata: { name: "dev-1", annotations: autonamed } };
  expect(name({}, olds)).toEqual({ name: "dev-1", annotations: autonamed });
  expect(name({}, { metadata: { name: "mine" } })).toEqual({ name: "dev-039058c6", annotations: autonamed });
});

test("the stack's configuration of names is honoured", () => {
  expect(name({}, {}, { mode: "propose", proposedName: "team-dev" })).toEqual({
    name: "team-dev",
    annotations: autonamed,
  });
  expect(() => name({}, {}, { mode: "disable", proposedName: "" })).toThrow(
    "the stack's configuration disables automatic names. Set metadata.name.",
  );
});

test("generateName is refused", () => {
  expect(() => name({ metadata: { generateName: "a-" } })).toThrow(
    "metadata.generateName does not work with server-side apply. Set metadata.name, or leave both out.",
  );
});
