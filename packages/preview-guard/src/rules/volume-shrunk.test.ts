import { expect, it } from "vitest";
import { change } from "../sample.fixture.ts";
import { volumeShrunk } from "./volume-shrunk.ts";

const sized = (storage: string) => ({ spec: { resources: { requests: { storage } } } });
const check = (before: string, after: string, kind = "PersistentVolumeClaim") =>
  volumeShrunk.check(change(kind, "dev1-home", { before: sized(before), after: sized(after) }));

it("refuses a smaller volume, whatever the unit", () => {
  expect(check("20Gi", "10Gi")).toEqual([
    "the volume dev1-home would shrink from 20Gi to 10Gi, which Kubernetes refuses; keep 20Gi",
  ]);
  expect(check("1Gi", "1000Mi")).toHaveLength(1);
});

it("lets a volume grow, be written in another unit and be created, and ignores other kinds", () => {
  expect([check("1Gi", "2Gi"), check("1Gi", "1024Mi"), check("2Gi", "1Gi", "Secret")]).toEqual([[], [], []]);
  const made = change("PersistentVolumeClaim", "dev1-home", { op: "create", after: sized("1Gi") });
  expect(volumeShrunk.check(made)).toEqual([]);
});
