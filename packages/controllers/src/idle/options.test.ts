import { expect, it } from "vitest";
import { parseOptions } from "./options.ts";

it("reads what the component gives", () => {
  expect(
    parseOptions(["activate", "--gateway=ssh/ssh", "--address=10.0.0.7", "--wakes-per-hour=3"]),
  ).toMatchObject({
    role: "activate",
    gateway: "ssh/ssh",
    address: "10.0.0.7",
    wakesPerHour: 3,
    reconnectPause: 60,
    gpu: undefined,
  });
  expect(parseOptions(["cull", "--gateway=a/b", "--prometheus=http://p:9090/"]).gpu?.url).toBe(
    "http://p:9090",
  );
});

it.each([
  ["no role", [], "say what to do: cull or activate"],
  ["another one", ["wake"], 'not "wake"'],
  ["no gateway", ["cull"], "--gateway NAMESPACE/NAME is missing"],
  ["no address", ["activate", "--gateway=a/b"], "--address IP is missing"],
  ["a time that is none", ["cull", "--gateway=a/b", "--every=soon"], "--every soon is not a whole number"],
])("refuses %s", (_, argv, message) => {
  expect(() => parseOptions(argv)).toThrow(message);
});
