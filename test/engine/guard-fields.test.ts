/**
 * Each field of the stack files has an edit with a verdict: a new field fails here until somebody has said what changing
 * it does. A container's edits are made for real here, those of the other kinds in test/long/guard-fields.test.ts.
 */
import { describe, expect, it } from "vitest";
import {
  config,
  containerFields,
  doesWhatIsSaid,
  fields,
  handedOn,
  isTeamsOwn,
  kinds,
  parts,
  platform,
  team,
} from "../../scripts/lib/field-edits/stack-fields.ts";

describe("the fields of a stack file", () => {
  it("are those of the kinds below, and what a team hands on to them", () => {
    expect(Object.keys(config).sort()).toEqual([
      "drawbridge:frpSeed",
      "drawbridge:hostKeySeed",
      "drawbridge:imageRegistry",
      "drawbridge:platform",
      "drawbridge:team",
    ]);
    expect(Object.keys(platform).sort()).toEqual(["frp", "gateway", "people", "storageProxy", "teams"]);
    expect(Object.keys(team).filter((name) => !isTeamsOwn(name))).toHaveLength(
      parts.length + Object.keys(handedOn).length,
    );
    expect(containerFields(team.containerDefaults)).toEqual(kinds.container.fields);
    expect(fields(team.storageDefaults)).toEqual(kinds.storage.fields);
    const unknown = Object.entries(handedOn).flatMap(([name, { edits, as }]) =>
      fields(team[name], as).filter((path) => edits[path] === undefined),
    );
    expect(unknown).toEqual([]);
  });
});

it.each(Object.entries(kinds))("each field of a %s has an edit, and no other", (_, { fields, edits }) => {
  expect(Object.keys(edits).sort()).toEqual([...fields].sort());
});

// Two previews of a hundred components take a minute, and far more on a busy machine.
it("an edit of a container does what is said of it, and no more", { timeout: 1_800_000 }, () =>
  doesWhatIsSaid(kinds.container),
);
