import { expect, it } from "vitest";
import { quantile, Recorder } from "./samples.ts";

it("keeps numbers by rival and figure", () => {
  const recorder = new Recorder();
  recorder.add("drawbridge", "login", 0.2);
  recorder.add("direct", "login", 0.3);
  recorder.add("drawbridge", "login", 0.1, 0.4);
  expect(recorder.samples).toEqual({ drawbridge: { login: [0.2, 0.1, 0.4] }, direct: { login: [0.3] } });
});

it("finds quantiles by nearest rank", () => {
  const values = Array.from({ length: 200 }, (_, index) => 200 - index);
  expect([0, 0.5, 0.99, 1].map((share) => quantile(values, share))).toEqual([1, 100, 198, 200]);
  expect(values[0]).toBe(200);
  expect(() => quantile([], 0.5)).toThrow("no values");
});
