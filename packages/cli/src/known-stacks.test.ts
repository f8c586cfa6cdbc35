import { expect, it } from "vitest";
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
  expect(aliases(both)).toEqual(["team-a: dev1", "team-a: dev2", "team-b: dev1.team-b", "team-b: x"]);
  const smaller = withSource(both, source("team-a", ["dev2"]));
  expect(aliases(smaller)).toEqual(["team-a: dev2", "team-b: dev1", "team-b: x"]);
  expect(withSource(both, a)).toEqual(both);
});

it("has a container once that is read from elsewhere, and no source without any", () => {
  const sources = withSource([source("team-a", ["dev1"])], {
    ...source("team-a", ["dev1"]),
    label: "outputs.json",
  });
  expect(aliases(sources)).toEqual(["outputs.json: dev1"]);
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
  expect(Object.values(first)).toEqual(["dev1", "dev1.team-b"]);
  const prefixed = { ...a, options: { prefix: "a-" } };
  expect(Object.values(named([prefixed, b], first))).toEqual(["a-dev1", "dev1.team-b"]);
  expect(Object.values(named([b], first))).toEqual(["dev1.team-b"]);
  // Whoever comes later takes no name that is in use, whatever the order.
  expect(Object.values(named([source("team-c", ["dev1"]), a], first))).toEqual(["dev1.team-c", "dev1"]);
});
