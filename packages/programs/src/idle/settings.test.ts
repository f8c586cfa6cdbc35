import { devContainerSchema, idleAnnotation, parseArgs, planDevContainer } from "@drawbridge-iac/manifests";
import { expect, it } from "vitest";
import { Unreadable } from "../read.ts";
import { parseSettings } from "./settings.ts";

const args = {
  namespace: "team-a",
  image: "registry.example.com/devcontainer:1.4.0",
  authorizedKeys: ["ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAICOp7m/T0uXYQbLaxCyYOBnH+nILl2oMszTc7NNkhxbN alice"],
  hostKey: { seed: "correct horse battery staple correct horse" },
  access: {
    gateway: {
      name: "ssh",
      namespace: "ssh-ingress",
      domain: "dev.example.com",
      plainPort: 80,
      idle: {
        namespace: "ssh-ingress",
        cullerServiceAccountName: "culler",
        activatorServiceAccountName: "activator",
        gpuMetrics: true,
      },
    },
  },
  gpu: { count: 1 },
  idle: {
    keepAwake: [{ days: ["monday"], from: "08:00", until: "18:00", timeZone: "Europe/Berlin" }],
    signals: { gpuAbovePercent: 5 },
  },
};
const written = (idle: object) =>
  idleAnnotation(
    planDevContainer("dev1", parseArgs("DevContainer", "dev1", devContainerSchema, { ...args, idle })),
  )["drawbridge.dev/idle"] as string;
const ours = written(args.idle);
const changed = (field: string, value: unknown) => JSON.stringify({ ...JSON.parse(ours), [field]: value });

const read = (text: unknown) => parseSettings(text, "it");

it("reads what a container's stack writes, and nothing of fields that a later one may add", () => {
  for (const text of [ours, written({})]) expect(read(text)).toEqual(JSON.parse(text));
  expect(read(changed("later", [1]))).toEqual(JSON.parse(ours));
});

it.each([
  ["null", "null"],
  ["a number", "7"],
  ["a text", '"stopAfter"'],
  ["a list", "[]"],
  ["nothing", ""],
  ["no JSON", "{"],
  ["no field", "{}"],
  ["the gateway alone", '{"gateway":"ssh-ingress/ssh"}'],
  [
    "more than anybody's times take",
    changed("keepAwake", Array(3000).fill({ timeZone: "UTC", minutes: [] })),
  ],
  ["a time that is a text", changed("stopAfter", "2h")],
  ["a time below zero", changed("reportEvery", -1)],
  ["a time without end", changed("silentSessions", 1e300)],
  ["a time that is null", changed("warning", null)],
  ["schedules that are none", changed("keepAwake", {})],
  ["a schedule that is null", changed("keepAwake", [null])],
  ["minutes that are no pairs", changed("keepAwake", [{ timeZone: "UTC", minutes: [[1, 2, 3]] }])],
  ["a zone that is nowhere", changed("keepAwake", [{ timeZone: "Mars/Olympus", minutes: [] }])],
  ["a clock of its own", changed("keepAwake", [{ timeZone: "+02:01", minutes: [] }])],
  ["a zone that is a list", changed("keepAwake", [{ timeZone: ["UTC"], minutes: [] }])],
  ["another way to wake", changed("wake", "always")],
  ["a wait of weeks", changed("maxHold", 10_000_000)],
  ["a port that is none", changed("port", 65_536)],
  ["half a port", changed("port", 22.5)],
  ["a word for running", changed("running", "yes")],
  ["a gateway that is none", changed("gateway", { toString: "x" })],
  ["a GPU above all", changed("gpuAbovePercent", 101)],
])("leaves alone what has %s in the place of settings", (_what, text) => {
  expect(() => read(text)).toThrow(Unreadable);
});
