import { expect, test } from "vitest";
import { Secret, UNKNOWN, type ValueMap } from "./property.ts";
import { fromStruct, toStruct } from "./wire.ts";

test("every kind of value survives the way to the engine and back", () => {
  const values: ValueMap = {
    text: "a",
    number: 1.5,
    yes: true,
    none: null,
    list: [1, { deep: "x" }],
    unknown: UNKNOWN,
    secret: new Secret({ password: "p" }),
    secretUnknown: new Secret(UNKNOWN),
  };
  expect(fromStruct(toStruct(values))).toEqual(values);
});

test("unknown values of every type are read as unknown", () => {
  const sent = toStruct({
    list: "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2",
    flag: "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7",
  });
  expect(fromStruct(sent)).toEqual({ list: UNKNOWN, flag: UNKNOWN });
});

test("an output is its value, secret or unknown", () => {
  const mark = { "4dabf18193072939515e22adb298388d": "d0e6a833031e9bbcd3f4e8bde6ca49a4" };
  const sent = toStruct({
    known: { ...mark, value: "v" },
    secret: { ...mark, value: "v", secret: true },
    unknown: mark,
  });
  expect(fromStruct(sent)).toEqual({ known: "v", secret: new Secret("v"), unknown: UNKNOWN });
});

test("an asset is refused", () => {
  const asset = { "4dabf18193072939515e22adb298388d": "c44067f5952c0a294b673a41bacd8c17", text: "x" };
  expect(() => fromStruct(toStruct({ asset }))).toThrow(
    "a Kubernetes object cannot hold an asset or an archive: pass the file's content as a string instead.",
  );
});
