import { expect, it } from "vitest";
import { change } from "../sample.fixture.ts";
import { volumeLost } from "./volume-lost.ts";

const claim = (fields: Parameters<typeof change>[2]) =>
  volumeLost.check(change("PersistentVolumeClaim", "dev1-home", fields));

it("refuses a replaced volume, retained or not", () => {
  for (const op of ["replace", "create-replacement", "delete-replaced"]) {
    expect(claim({ op, retained: true })).toEqual(["the volume dev1-home would be replaced by an empty one"]);
  }
});

it("refuses a deleted volume unless it is retained", () => {
  expect(claim({ op: "delete" })).toEqual(["the volume dev1-home would be deleted with its data"]);
  expect(claim({ op: "delete", retained: true })).toEqual([]);
});

it("lets a volume be made, grown and left alone, and ignores other kinds", () => {
  for (const op of ["create", "update", "same"]) expect(claim({ op })).toEqual([]);
  expect(volumeLost.check(change("ConfigMap", "dev1-home", { op: "delete" }))).toEqual([]);
});
