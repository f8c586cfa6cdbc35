import type { SshWay } from "@drawbridge-iac/drawbridge/src/host/client-texts/target";
import type { StorageTarget } from "@drawbridge-iac/drawbridge/src/storage-accessor/ref";
import { describe, expect, it } from "vitest";
import { CliError } from "./faults.ts";
import { knownTargets, type Source, withSource } from "./known-stacks.ts";
import { sshTarget } from "./ssh-target.fixture.ts";

const target = (name: string, namespace: string) =>
  sshTarget({ name, namespace, hostName: `${name}.${namespace}.dev.example.com` });
const source = (label: string, names: string[], options = {}): Source => ({
  label,
  options,
  targets: names.map((name) => target(name, label)),
  storages: [],
});
const aliases = (sources: Source[]) =>
  knownTargets(sources).map(({ alias, source: from }) => `${from}: ${alias}`);

it("keeps the other stacks' containers, in their order and under their names", () => {
  const a = source("team-a", ["dev1", "dev2"]);
  const b = source("team-b", ["dev1", "x"]);
  const both = withSource(withSource([], a), b);
  // Who was first keeps the short name.
  expect(aliases(both)).toEqual(["team-a: dev1", "team-a: dev2", "team-b: dev1-team-b", "team-b: x"]);
  const smaller = withSource(both, source("team-a", ["dev2"]));
  expect(aliases(smaller)).toEqual(["team-a: dev2", "team-b: dev1", "team-b: x"]);
  expect(withSource(both, a)).toEqual(both);
});

it("leaves what is the same in everything where it was read first", () => {
  const storage = { name: "models" } as StorageTarget;
  const first = { ...source("team-a", ["dev1"]), storages: [storage] };
  const other = { name: "data" } as StorageTarget;
  const copy = { ...source("team-a", ["dev1", "dev2"]), label: "outputs.json", storages: [storage, other] };
  const both = withSource([first], copy);
  expect(aliases(both)).toEqual(["team-a: dev1", "outputs.json: dev2"]);
  expect(both.map(({ storages }) => storages)).toEqual([[storage], [other]]);
});

describe("a container under the name of another stack's", () => {
  const keys = ["a", "b", "c"].map((letter) => `ssh-ed25519 ${letter.repeat(8)}`);
  const [first, second, third] = keys as [string, string, string];
  const withKeys = (label: string, ...hostKeys: string[]): Source => ({
    ...source(label, []),
    targets: [{ ...target("dev1", "team-a"), hostKeys }],
    storages: [],
  });

  it("is refused, and what to do depends on where the first came from", () => {
    const refusal = (origin: Source["origin"], ...keys: string[]) => {
      const known = { ...withKeys("old", first, second), ...(origin === undefined ? {} : { origin }) };
      return () => withSource([known, source("team-b", ["x"])], withKeys("new", ...keys));
    };
    const says = (command: string) =>
      new CliError(
        `dev1 of new has the host name of dev1 of old (dev1.team-a.dev.example.com:22), so it would take its place; if it has moved, run drawbridge ssh-config, which reads the first again, or forget the first: drawbridge ssh-config --remove${command}; then read new again`,
      );
    expect(refusal({ stack: "team-a", cwd: "/my stacks" }, third)).toThrow(
      says(' --stack team-a --cwd "/my stacks"'),
    );
    expect(refusal({ cwd: "/x" }, third)).toThrow(says(" --cwd /x"));
    expect(refusal({ from: "/x/outputs.json", cwd: "/x" }, third)).toThrow(says(" --from /x/outputs.json"));
    expect(refusal(undefined, third)).toThrow(says(", which forgets all stacks"));
    // Host keys are public: a copy of them proves nothing, and what comes after it would not be compared.
    expect(refusal({ cwd: "/x" }, second, first)).toThrow(says(" --cwd /x"));
    expect(refusal({ cwd: "/x" }, first)).toThrow(says(" --cwd /x"));
  });

  it("may be anything in the stack that had it", () => {
    expect(withSource([withKeys("old", first)], withKeys("old", third))).toEqual([withKeys("old", third)]);
  });
});

it("gives each stack's containers that stack's own options", () => {
  const both = [
    source("team-a", ["dev1"], { prefix: "a-", ca: "/a.pem" }),
    source("team-b", ["dev1"], { prefix: "b-" }),
  ];
  expect(knownTargets(both).map(({ alias, tls }) => [alias, tls.ca])).toEqual([
    ["a-dev1", "/a.pem"],
    ["b-dev1", undefined],
  ]);
});

it("moves no short name to another container", () => {
  const [a, b] = [source("team-a", ["dev1"]), source("team-b", ["dev1"])];
  const named = (sources: Source[], names: Record<string, string>) =>
    Object.fromEntries(
      knownTargets(sources, names).map(({ alias, target: { hostName } }) => [`${hostName}:22`, alias]),
    );
  const first = named([a, b], {});
  expect(Object.values(first)).toEqual(["dev1", "dev1-team-b"]);
  const prefixed = { ...a, options: { prefix: "a-" } };
  expect(Object.values(named([prefixed, b], first))).toEqual(["a-dev1", "dev1-team-b"]);
  expect(Object.values(named([b], first))).toEqual(["dev1-team-b"]);
  // Anyone who comes later takes no name that is in use, whatever the order.
  expect(Object.values(named([source("team-c", ["dev1"]), a], first))).toEqual(["dev1-team-c", "dev1"]);
});

describe("the names of single ways", () => {
  const gateway: SshWay = { way: "gateway", address: "192.0.2.7", port: 80, tls: false, mutual: false };
  const frp: SshWay = { way: "frp", address: "192.0.2.8", port: 80, hostName: "dev1.team-a.frp.example.com" };
  const inNamespace = (namespace: string, ...ways: SshWay[]): Source => ({
    ...source(namespace, []),
    targets: [{ ...target("dev1", namespace), ways }],
  });
  // Only who puts a prefix with a dot before names can come near them.
  const dotted = (...ways: SshWay[]): Source => ({
    ...source("team-b", []),
    options: { prefix: "dev1." },
    targets: [{ ...target("frp", "team-b"), ways }],
  });
  it("are no other container's", () => {
    const a = inNamespace("team-a", gateway, frp);
    expect(aliases([a, dotted(gateway)])).toEqual(["team-a: dev1", "team-b: dev1.frp-team-b"]);
    // A short name whose ways would have another's name goes to nobody.
    expect(aliases([dotted(gateway), a])).toEqual(["team-b: dev1.frp", "team-a: dev1-team-a"]);
    const named = { ...dotted(gateway), options: {}, targets: [target("dev1-team-b", "x")] };
    expect(() =>
      knownTargets([inNamespace("team-a", frp), inNamespace("team-b", frp), named], {
        "dev1-team-b.x.dev.example.com:22": "dev1-team-b",
      }),
    ).toThrow(
      "two containers would be called dev1-team-b, one of them in team-b; set other names for that stack with --prefix",
    );
  });

  it("are free where a container has one way", () => {
    expect(aliases([inNamespace("team-a", frp), dotted(gateway)])).toEqual([
      "team-a: dev1",
      "team-b: dev1.frp",
    ]);
  });
});
