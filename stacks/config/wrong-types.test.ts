/** A mistake in a stack file is one fault at its place. `test/long` makes each; here it is a part of them. */
import { describe, expect, it } from "vitest";
import { put } from "../../scripts/lib/trials/edit.ts";
import { type Config, complaints, eachField, key, type Mistake, read, shared } from "./mistakes.fixture.ts";

eachField(29);

describe("what a file says for all its parts", () => {
  const container = { image: "a/b:1", authorizedKeys: [key] };
  const storages = { models: { size: "1Gi" } };
  const files: Record<string, Config> = {
    "drawbridge:team": {
      namespace: "team-a",
      ...shared,
      members: { sshpod: { groups: ["team-a"] } },
      quota: { pods: "10" },
      limits: { max: { memory: "4Gi" } },
      storageDefaults: { size: "2Gi" },
      storages,
      containerDefaults: container,
      containers: {
        dev1: { mounts: [{ storage: "models", mountPath: "/models" }] },
        dev2: { people: ["carol"] },
      },
      routeDefaults: { serviceName: "vm1", userName: "ubuntu", hostPublicKeys: [key] },
      routes: { box: {} },
    },
    "drawbridge:platform": {
      gateway: {
        domain: "dev.example.com",
        loadBalancer: { preset: "generic" },
        egress: { outsideHosts: [{ cidr: "10.20.0.0/24" }] },
      },
      storageProxy: { loadBalancer: { preset: "generic" } },
      people: { carol: { keys: [key], groups: ["ml"] } },
      teams: {
        "team-a": { quota: { pods: "10" }, outsideHosts: { vm1: { address: "10.20.0.5" } } },
        "team-b": {},
      },
    },
  };
  const whole = (part: string): Config => ({
    [part]: files[part],
    ...(part === "drawbridge:team" ? { "drawbridge:hostKeySeed": { secure: "AAAB" } } : {}),
  });

  it.each(Object.keys(files))("is right in %s", async (part) => {
    expect((await read(whole(part))).faults).toEqual([]);
  });

  it.each(Object.keys(files))("is one fault for each mistake in the keys of %s", async (part) => {
    const all = Object.entries(files[part] ?? {}).flatMap(([name, value]): Mistake[] => {
      const at = [part, name];
      const values: [string, unknown][] = [
        ["null", null],
        ["a number", 4],
        ["some text", "Some text"],
        ["a list", ["x"]],
      ];
      const misspelt = [`${name}x`, name.slice(1)];
      return [
        ...values.map(([what, other]) => ({ what, config: put(whole(part), at, other), at })),
        ...misspelt.map((other) => ({
          what: `key ${other}`,
          config: put(put(whole(part), at, undefined), [part, other], value),
          at: [part, other],
        })),
      ];
    });
    expect(all.length).toBeGreaterThan(20);
    expect(await complaints(all)).toEqual([]);
  });

  const names = ["my_box", "Shared", "x".repeat(64), "", "-a", "a b"];
  const maps: [part: string, map: string, value: unknown][] = [
    ["drawbridge:team", "containers", {}],
    ["drawbridge:team", "storages", {}],
    ["drawbridge:team", "routes", {}],
    ["drawbridge:team", "people", { keys: [] }],
    ["drawbridge:platform", "people", { keys: [] }],
    ["drawbridge:platform", "teams", {}],
  ];
  it.each(maps)(
    "is one fault for each bad name in %s, %s, and for nothing under a name",
    async (part, map, value) => {
      // A person may be called so.
      const bad = names.filter((name) => map !== "people" || name !== "my_box");
      const all = [
        ...bad.map((name) => ({ what: "bad name", at: [part, map, name], value })),
        { what: "null", at: [part, map, "dev3"], value: null },
      ].map(({ what, at, value }) => ({ what, config: put(whole(part), at, value), at }));
      const counts = await Promise.all(all.map(async ({ config }) => (await read(config)).faults.length));
      expect(counts).toEqual(all.map(() => 1));
      expect(await complaints(all)).toEqual([]);
    },
  );
});
