import { expect, it } from "vitest";
import { change } from "../sample.ts";
import { imageNotPinned } from "./image-not-pinned.ts";

const workload = (image: string, op = "update", list = "containers") =>
  imageNotPinned.check(
    change("StatefulSet", "dev1", { op, after: { spec: { template: { spec: { [list]: [{ image }] } } } } }),
  );

it.each(["ubuntu", "ubuntu:latest", "registry.example.com:5000/dev"])("refuses %s", (image) => {
  const expected = [`dev1 would run the image ${image}, which is not pinned by a tag or digest`];
  expect(workload(image)).toEqual(expected);
  expect(workload(image, "create", "initContainers")).toEqual(expected);
});

it.each(["ubuntu:24.04", "registry.example.com:5000/dev:1.0.0", `ubuntu@sha256:${"0".repeat(64)}`, "auto"])(
  "accepts %s",
  (image) => {
    expect(workload(image)).toEqual([]);
  },
);

it("says nothing of a workload that is deleted", () => {
  expect(workload("ubuntu", "delete")).toEqual([]);
});
