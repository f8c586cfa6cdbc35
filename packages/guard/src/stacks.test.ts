import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { alice, bob } from "./attacks.fixture.ts";
import { change } from "./sample.fixture.ts";
import { describePeople, type NamingStack, namingStacks, peopleType } from "./stacks.ts";

const people = (alices: string[], bobs: string[]) => ({
  people: { alice: { keys: alices, groups: ["ml"] }, bob: { keys: bobs } },
});
const ofPlatform = (before: object | undefined, after: object | undefined) => ({
  ...change("x", "people", { before: before as never, after: after as never, isCustom: false }),
  type: peopleType,
});
const stack = (name: string, named: string[] | undefined, platform: unknown = "stack"): NamingStack => ({
  stack: name,
  platform,
  people: named && new Set(named),
});

describe("a change of the platform's people", () => {
  const leaves = [ofPlatform(people([alice], [bob]), people([alice], []))];

  it("names the stacks that take its people and name whoever has changed", () => {
    const stacks = [
      stack("team-a", ["bob"]),
      stack("team-b", ["bob", "alice"], "organization/project/stack"),
      stack("team-c", ["alice", "group:ml"]),
      stack("elsewhere", ["bob"], "other"),
      stack("own", ["bob"], null),
    ];
    expect(describePeople(leaves, stacks)).toEqual([
      "bob loses 1 key; to bring up after this stack: team-a, team-b",
    ]);
  });

  it("says where nobody is named, where a file cannot be read, and where there are no files", () => {
    const told = (stacks: NamingStack[] | undefined) => describePeople(leaves, stacks)[0]?.split(": ")[1];
    expect(told([])).toBe("none that is known here");
    expect(told([stack("broken", undefined)])).toBe("perhaps broken, whose file cannot be read");
    expect(told([stack("a", ["bob"]), stack("broken", undefined)])).toBe(
      "a; perhaps broken, whose file cannot be read",
    );
    expect(told(undefined)).toBe("every stack that names bob (--stacks finds them)");
  });

  it("tells joining, groups and a new key; of the first people and of the same ones nothing", () => {
    const texts = (before: object | undefined, after: object | undefined) =>
      describePeople([ofPlatform(before, after)], []).map((line) => line.split(";")[0]);
    expect(texts(people([], [bob]), people([alice], [bob]))).toEqual([
      "alice gains 1 key",
      "group:ml gains 1 key",
    ]);
    expect(texts(people([alice], [bob]), undefined)).toEqual([
      "alice loses 1 key",
      "bob loses 1 key",
      "group:ml loses 1 key",
    ]);
    expect(texts(people([alice], [bob]), people([alice], [bob]))).toEqual([]);
    expect(texts(undefined, people([alice], [bob]))).toEqual([]);
  });
});

describe("a team's keys", () => {
  const keys = (name: string, before: string[], after: string[]) =>
    change("ConfigMap", `${name}-authorized-keys`, {
      of: `DevContainer ${name}`,
      before: { data: { authorized_keys: before.map((line) => `${line}\n`).join("") } },
      after: { data: { authorized_keys: after.map((line) => `${line}\n`).join("") } },
    });
  const was = ["# alice has 1 key", alice, "# bob has 1 key", bob];
  const is = ["# alice has 1 key", alice, "# bob has no key"];

  it("that follow people say that the stack has to be brought up, once for all containers alike", () => {
    expect(describePeople([keys("dev1", was, is), keys("dev2", was, is)], undefined)).toEqual([
      "bob loses 1 key; to bring up: this stack, stack (dev1, dev2)",
    ]);
  });

  it("that the team's own file changes say nothing of people", () => {
    expect(describePeople([keys("dev1", was, was.slice(0, 2))], undefined)).toEqual([]);
    expect(describePeople([keys("dev1", [alice], is)], undefined)).toEqual([]);
    expect(describePeople([change("ConfigMap", "x", { before: {}, after: { data: {} } })], [])).toEqual([]);
  });
});

it("reads files that repeat a value hundreds of times, and none that aliases make too large", async () => {
  const folder = await mkdtemp(join(tmpdir(), "drawbridge-stacks-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const team = "config:\n  drawbridge:team:\n    platform: platform\n    containers:\n";
  const often = Array.from({ length: 400 }, (_, index) => `      d${index}: *c\n`).join("");
  const bomb = Array.from({ length: 60 }, (_, index) => {
    const before = index === 0 ? "x" : `*a${index - 1}`;
    return `  a${index}: &a${index} [${before}, ${before}]\n`;
  }).join("");
  await writeFile(join(folder, "Pulumi.often.yaml"), `${team}      c: &c { people: [alice] }\n${often}`);
  await writeFile(join(folder, "Pulumi.bomb.yaml"), `${team}      c: { people: [alice] }\n${bomb}`);
  await writeFile(join(folder, "Pulumi.deep.yaml"), `${team}${"[".repeat(5000)}`);
  const bombed: NamingStack = { stack: "bomb", platform: undefined, people: undefined };
  expect(await namingStacks(folder)).toEqual([
    bombed,
    { ...bombed, stack: "deep" },
    stack("often", ["alice"], "platform"),
  ]);
});
