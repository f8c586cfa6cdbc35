/** What a change of people means for an authorized_keys file: of a running cluster, and between two previews. */
import { describe, expect, it } from "vitest";
import { whatIsWrong } from "../../kit/faults.fixture.ts";
import { renderAuthorizedKeys } from "./authorized-keys.ts";
import { type People, resolveKeys } from "./people.ts";
import { changedPeople, outdatedKeys, personChangeText } from "./people-changes.ts";

const aliceKey = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAICOp7m/T0uXYQbLaxCyYOBnH+nILl2oMszTc7NNkhxbN alice";
const bobKey = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIKSJUBAXxKZBSdSAfMuYRLkpUPF6MzhAfOe7TXFnsUIW bob";
const alice = { keys: [aliceKey], groups: ["ml"] };
const bob = { keys: [bobKey], groups: ["ml"] };
const people: People = { alice, bob };
const bobLeft: People = { alice, bob: { ...bob, keys: [] } };
const fileOf = (given: People, ...entries: string[]) =>
  renderAuthorizedKeys(resolveKeys(entries, given).keys as string[]);

const change = (person: string, gains: number, loses: number) => ({ person, gains, loses });

describe("a file of keys", () => {
  it.each<[string, string, People, ReturnType<typeof change>[]]>([
    ["nothing changed for", fileOf(people, "alice", "group:ml"), people, []],
    ["somebody left", fileOf(people, "bob", "alice"), bobLeft, [change("bob", 0, 1)]],
    ["somebody left their group", fileOf(people, "group:ml"), bobLeft, [change("group:ml", 0, 1)]],
    ["the only one came back to", fileOf(bobLeft, "bob"), people, [change("bob", 1, 0)]],
    [
      "somebody has another key in",
      fileOf(people, "bob"),
      { bob: { keys: [`restrict ${bobKey}`] } },
      [change("bob", 1, 1)],
    ],
    ["only a comment changed in", fileOf(people, "bob"), { bob: { keys: [`${bobKey}@laptop`] } }, []],
    [
      "one who left is named by the group too in",
      fileOf(people, "bob", "group:ml"),
      bobLeft,
      [change("bob", 0, 1)],
    ],
    ["one who left has a line of their own in", fileOf(people, "bob", bobKey), bobLeft, []],
    // A container in reach of frp may have the same people in a second list.
    [
      "is made of two lists, and nothing changed for",
      fileOf(people, "alice") + fileOf(people, "alice"),
      people,
      [],
    ],
    ["names nobody", `${aliceKey}\n`, {}, []],
  ])("that %s", (_, text, now, changes) => {
    expect(outdatedKeys(text, now).changes).toEqual(changes);
  });

  it("names people in its own order, and says which are unknown", () => {
    const text = fileOf({ ...people, carol: { keys: [`restrict ${aliceKey}`] } }, "carol", "bob", "group:ml");
    expect(outdatedKeys(text, { bob: bobLeft.bob as never })).toEqual({
      people: ["carol", "bob", "group:ml"],
      changes: [change("bob", 0, 1)],
      unknown: ["carol"],
    });
    expect(outdatedKeys(text, {}).unknown).toEqual(["carol", "bob", "group:ml"]);
    expect(outdatedKeys(`${aliceKey}\n`, people)).toEqual({ people: [], changes: [], unknown: [] });
  });
});

it("compares two files only for people whom both name", () => {
  expect(changedPeople(fileOf(people, "alice"), fileOf(bobLeft, "alice", "bob"))).toEqual([]);
  expect(changedPeople(fileOf(people, "alice", "bob"), fileOf(bobLeft, "alice"))).toEqual([]);
  expect(changedPeople(fileOf(people, "bob", "alice"), fileOf(bobLeft, "alice", "bob"))).toEqual([
    change("bob", 0, 1),
  ]);
});

it.each([
  [change("bob", 0, 1), "bob loses 1 key"],
  [change("group:ml", 2, 0), "group:ml gains 2 keys"],
  [change("bob", 1, 2), "bob gains 1 key and loses 2"],
])("says %o in words", (given, text) => {
  expect(personChangeText(given)).toBe(text);
});

it("a name that every object has is nobody's", () => {
  const { keys, faults } = resolveKeys(["constructor", "alice"], people);
  expect(faults.map(({ index, problem }) => [index, whatIsWrong(problem)])).toEqual([
    [0, '"constructor" is not a name in people'],
  ]);
  expect(keys).toEqual(["# nobody has no key", "# alice has 1 key", aliceKey]);
});
