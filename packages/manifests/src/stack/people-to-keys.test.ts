/** People by name in a team's file: joining, groups, leaving in one line, and names that are nobody's. */

import { describe, expect, it } from "vitest";
import { aliceKey, bobKey, gateway } from "../container/plan.fixture.ts";
import { keysOf } from "../ssh/people.ts";
import { unknownOutputs } from "./platform-outputs.ts";
import { readTeam } from "./read-team.ts";

const people = {
  alice: { keys: [aliceKey], groups: ["ml", "ops"] },
  bob: { keys: [bobKey], groups: ["ml"] },
  gone: { keys: [] },
};

interface File {
  readonly people?: unknown;
  /** What the container has. */
  readonly of: object;
  readonly [key: string]: unknown;
}

async function read({ of, ...file }: File, outputs: object = {}) {
  const raw = {
    namespace: "team-a",
    gateway,
    containerDefaults: { image: "registry.example.com/dev:1.0.0" },
    containers: { dev1: of },
    ...file,
  };
  const around = { hostKeySeed: "x".repeat(32), platformOutputs: async () => outputs };
  const { stack, faults } = await readTeam(raw, around);
  return {
    keys: (stack.containers.dev1 as { authorizedKeys: unknown }).authorizedKeys,
    faults: faults.map((fault) => `${fault.path.slice(1).join(".")}: ${fault.code}`),
  };
}

describe("people in a team's file", () => {
  it("are replaced by their keys, each once", async () => {
    expect(
      await read({ people, of: { people: ["bob"], groups: ["ml"], authorizedKeys: [aliceKey] } }),
    ).toEqual({
      keys: ["# bob has 1 key", bobKey, "# group:ml has no key", aliceKey],
      faults: [],
    });
    expect((await read({ people, of: { people: ["gone", "bob"], groups: ["ml"] } })).keys).toEqual([
      "# gone has no key",
      "# bob has 1 key",
      bobKey,
      "# group:ml has 1 key",
      aliceKey,
    ]);
  });

  it("come from the platform's stack too", async () => {
    const { keys, faults } = await read(
      { platform: "platform", of: { people: ["alice", "carol"] }, people: { carol: { keys: [bobKey] } } },
      { people },
    );
    expect({ keys, faults }).toEqual({
      keys: ["# alice has 1 key", aliceKey, "# carol has 1 key", bobKey],
      faults: [],
    });
  });

  it("leave in one line, also where they were the only ones: the file stays right, and nobody has a key", async () => {
    const left = { ...people, alice: { keys: [], groups: ["ml", "ops"] } };
    expect(await read({ people: left, of: { people: ["alice"] } })).toEqual({
      keys: ["# alice has no key"],
      faults: [],
    });
    expect(await read({ people: left, of: { groups: ["ops"] } })).toEqual({
      keys: ["# group:ops has no key"],
      faults: [],
    });
    expect((await read({ people: left, of: { groups: ["ml"] } })).keys).toEqual([
      "# group:ml has 1 key",
      bobKey,
    ]);
  });

  it("who are nobody are faults where they stand, whatever names before them stand for", async () => {
    const { faults } = await read({
      people,
      of: {
        people: ["alice", "alcie", "dave"],
        groups: ["ml", "nobody"],
        authorizedKeys: ["bob", aliceKey, "ssh-rsa AAAA"],
      },
    });
    expect(faults).toEqual([
      "containers.dev1.authorizedKeys.0: name-among-keys",
      "containers.dev1.people.1: unknown-person",
      "containers.dev1.people.2: unknown-person",
      "containers.dev1.groups.1: unknown-person",
      "containers.dev1.authorizedKeys.2: key-cut-off",
    ]);
  });

  it("are names in lists, and nothing else", async () => {
    expect((await read({ people, of: { people: "alice", groups: [7, "ML"] } })).faults).toEqual([
      "containers.dev1.people: wrong-type",
      "containers.dev1.groups.0: text-without-quotes",
      "containers.dev1.groups.1: not-a-name-in-people",
    ]);
  });

  it("have one set of keys, in the team's file or the platform's", async () => {
    const { faults } = await read(
      { platform: "platform", people: { alice: { keys: [bobKey] } }, of: { people: ["alice"] } },
      { people },
    );
    expect(faults).toEqual(["people.alice: person-of-platform"]);
  });

  it("are refused with anything but keys, and then nobody's name is a fault a second time", async () => {
    const { faults } = await read({
      people: { Alice: { keys: [] }, bob: { keys: ["nonsense"], team: "x" } },
      of: { people: ["bob"] },
    });
    expect(faults).toEqual([
      "people.Alice: not-a-name-in-people",
      "people.bob.keys.0: not-a-key-line",
      "people.bob: unknown-key",
    ]);
  });

  it("are taken for right where the platform's stack is not looked at", async () => {
    expect(await read({ platform: "platform", of: { people: ["alice"] } }, unknownOutputs)).toEqual({
      keys: ["# alice has no key"],
      faults: [],
    });
  });
});

it("gives a program the same keys", () => {
  expect(keysOf(people, { people: ["gone"], groups: ["ml"] })).toEqual([
    "# gone has no key",
    "# group:ml has 2 keys",
    aliceKey,
    bobKey,
  ]);
  expect(() => keysOf(people, { people: ["alcie"] })).toThrow(
    '"alcie" is not a name in people; did you mean "alice"?',
  );
});
