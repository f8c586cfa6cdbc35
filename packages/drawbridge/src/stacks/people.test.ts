/** People by name in a team's file: joining, groups, leaving in one line, and unknown names. */

import { describe, expect, it } from "vitest";
import { aliceKey, bobKey, gateway } from "../dev-container/plan.fixture.ts";
import { keysOf } from "../host/keys/people.ts";
import { whatIsWrong } from "../kit/faults.fixture.ts";
import { Secret } from "../kit/secret.ts";
import { unknownOutputs } from "./read-platform.ts";
import { readTeam } from "./read-team.ts";

const people = {
  alice: { keys: [aliceKey], groups: ["ml", "ops"] },
  bob: { keys: [bobKey], groups: ["ml"] },
  gone: { keys: [] },
};

interface File {
  readonly people?: unknown;
  readonly container: object;
  readonly [key: string]: unknown;
}

async function read({ container, ...file }: File, outputs: object = {}) {
  const raw = {
    namespace: "team-a",
    gateway,
    containerDefaults: { image: "registry.example.com/dev:1.0.0" },
    containers: { dev1: container },
    ...file,
  };
  const around = { hostKeySeed: new Secret(), platformOutputs: async () => outputs };
  const { stack, faults } = await readTeam(raw, around);
  return {
    keys: (stack.containers.dev1 as { authorizedKeys: unknown }).authorizedKeys,
    faults: faults.map((fault) => `${fault.path.slice(1).join(".")}: ${whatIsWrong(fault)}`),
  };
}

describe("people in a team's file", () => {
  it("are replaced by their keys, each once", async () => {
    expect(
      await read({ people, container: { people: ["bob"], groups: ["ml"], authorizedKeys: [aliceKey] } }),
    ).toEqual({ keys: ["# bob has 1 key", bobKey, "# group:ml has no key", aliceKey], faults: [] });
    expect((await read({ people, container: { people: ["gone", "bob"], groups: ["ml"] } })).keys).toEqual([
      "# gone has no key",
      "# bob has 1 key",
      bobKey,
      "# group:ml has 1 key",
      aliceKey,
    ]);
  });

  it("come from the platform's stack too", async () => {
    const { keys, faults } = await read(
      {
        platform: "platform",
        container: { people: ["alice", "carol"] },
        people: { carol: { keys: [bobKey] } },
      },
      { people },
    );
    expect({ keys, faults }).toEqual({
      keys: ["# alice has 1 key", aliceKey, "# carol has 1 key", bobKey],
      faults: [],
    });
  });

  it("leave by a change of one line, even the last of them: the file stays valid and has no key", async () => {
    const aliceLeft = { ...people, alice: { keys: [], groups: ["ml", "ops"] } };
    expect(await read({ people: aliceLeft, container: { people: ["alice"] } })).toEqual({
      keys: ["# alice has no key"],
      faults: [],
    });
    expect(await read({ people: aliceLeft, container: { groups: ["ops"] } })).toEqual({
      keys: ["# group:ops has no key"],
      faults: [],
    });
    expect((await read({ people: aliceLeft, container: { groups: ["ml"] } })).keys).toEqual([
      "# group:ml has 1 key",
      bobKey,
    ]);
  });

  it("are faults at their own places if unknown, however many keys the names before them have", async () => {
    const { faults } = await read({
      people,
      container: {
        people: ["alice", "alcie", "dave"],
        groups: ["ml", "nobody"],
        authorizedKeys: ["bob", aliceKey, "ssh-rsa AAAA"],
      },
    });
    expect(faults).toEqual([
      'containers.dev1.authorizedKeys.0: "bob" is a name and no public key',
      'containers.dev1.people.1: "alcie" is not a name in people',
      'containers.dev1.people.2: "dave" is not a name in people',
      'containers.dev1.groups.1: "group:nobody" is not a name in people',
      "containers.dev1.authorizedKeys.2: has a key that is cut off or of another type than it says",
    ]);
  });

  it("are names in lists, and nothing else", async () => {
    expect((await read({ people, container: { people: "alice", groups: [7, "ML"] } })).faults).toEqual([
      "containers.dev1.people: must be a list, not {{value}}",
      "containers.dev1.groups.0: must be a string, not {{value}}",
      "containers.dev1.groups.1: is not a name for a group",
    ]);
  });

  it("have one set of keys, in the team's file or the platform's", async () => {
    const { faults } = await read(
      { platform: "platform", people: { alice: { keys: [bobKey] } }, container: { people: ["alice"] } },
      { people },
    );
    expect(faults).toEqual(["people.alice: is already one of the platform's people"]);
  });

  it("are refused with anything but keys and groups, and naming them is no second fault", async () => {
    const { faults } = await read({
      people: { Alice: { keys: [] }, bob: { keys: ["nonsense"], team: "x" } },
      container: { people: ["bob"] },
    });
    expect(faults).toEqual([
      "people.Alice: is not a name for a person",
      "people.bob.keys.0: does not start with a key type",
      'people.bob: unknown key "team"',
    ]);
  });

  it("are accepted unseen where the platform's outputs are unknown", async () => {
    expect(await read({ platform: "platform", container: { people: ["alice"] } }, unknownOutputs)).toEqual({
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
