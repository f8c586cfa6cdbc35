/** A preview of components as they are is theirs, leaf by leaf. With a leaf otherwise: mutations.test.ts. */
import { noHostKey } from "@drawbridge-iac/drawbridge/src/host/keys/host-key";
import { beforeAll, expect, it } from "vitest";
import { everyArgument } from "../../../../test/support/engine/every-argument.ts";
import { type RegisteredState, registered } from "../../../../test/support/registered.ts";
import type { Change } from "../change.ts";
import { ownership } from "./index.ts";

// Every tenth argument of each component; all of them under the real engine, in test/long/guard-made-again.test.ts.
const instances = everyArgument().filter((_, index) => index % 10 === 0);
let changes: Change[];

beforeAll(async () => {
  changes = (await registered(instances)).map(created);
}, 120_000);

function created({ urn, type, custom, parent, inputs, retainOnDelete }: RegisteredState): Change {
  const [types = "", name = ""] = parent.split("::").slice(2);
  return {
    op: "create",
    urn,
    type,
    name: urn.split("::").at(-1) ?? "",
    parent,
    component: name === "" ? undefined : { type: types.split("$").at(-1) ?? "", name },
    before: undefined,
    after: inputs,
    isCustom: custom,
    retained: false,
    options: { kept: retainOnDelete, ignoreChanges: [] },
    differing: [],
  };
}

/** A container and its objects. */
function container() {
  const owner = changes.find(({ type }) => type === "drawbridge:index:DevContainer") as Change;
  return { owner, family: changes.filter(({ parent }) => parent === owner.urn) };
}

const said = (all: readonly Change[]) => {
  const { found, foreign } = ownership(all);
  return [
    ...found.map(({ change, effect }) => `${change.urn} ${effect.text}`),
    ...[...foreign].map((urn) => `${urn} is foreign`),
  ];
};

it("makes every component's objects again", () => {
  const own = changes.filter(({ isCustom }) => isCustom);
  expect(own.length).toBeGreaterThan(500);
  expect(said(changes)).toEqual([]);
});

it("makes them again from the registry of the stack's own setting", async () => {
  const some = instances.filter((_, index) => index % 5 === 0);
  const settings = { "drawbridge:imageRegistry": "registry.example.com/team" };
  const moved = (await registered(some, settings)).map(created);
  expect(JSON.stringify(moved)).toContain('"image":"registry.example.com/team/');
  expect(said(moved)).toEqual([]);
});

it("tells of an object that is left out, another that is beside it, and options that are not its own", () => {
  const { owner, family } = container();
  const home = family.find(({ type }) => type.endsWith(":PersistentVolumeClaim")) as Change;
  const others = family.filter((one) => one !== home);
  const beside = { ...home, urn: `${home.urn}-2` };
  const options = (more: object) => ({ ...home, options: { kept: true, ignoreChanges: [], ...more } });
  expect(said([owner, home, ...others])).toEqual([]);
  expect(said([owner, ...others])).toEqual([
    `${owner.urn} its PersistentVolumeClaim ${home.name} is not made, which its arguments ask for`,
  ]);
  expect(said([owner, home, beside, ...others])).toEqual([`${beside.urn} is foreign`]);
  expect(said([owner, options({ kept: false }), ...others])).toEqual([
    `${home.urn} it would not be kept when it is deleted`,
  ]);
  expect(said([owner, options({ ignoreChanges: ["spec"] }), ...others])).toEqual([
    `${home.urn} changes of its spec would be ignored`,
  ]);
  const unseen = `the arguments of ${owner.name} are not in the preview; take it with --show-sames`;
  expect(said(family)).toEqual(family.map(({ urn }) => `${urn} ${unseen}`));
});

it("tells of arguments of which nothing can be made", () => {
  const { owner, family } = container();
  const child = family[0] as Change;
  const why = `its arguments cannot be read: DevContainer "${owner.name}": 1 fault in its arguments, nothing was created:
  - hostKey.privateKey: ${noHostKey}`;
  const forged = { ...owner, after: { ...owner.after, hostKey: { privateKey: "no key" } } };
  expect(said([forged, child])).toEqual([`${owner.urn} ${why}`, `${child.urn} is foreign`]);
  const still = { ...owner, op: "same" as const, before: forged.after, after: forged.after };
  const stays = { ...child, op: "same" as const, before: child.after };
  expect(said([still, stays])).toEqual([]);
  const bent = { ...stays, options: { kept: true, ignoreChanges: ["data"] } };
  expect(said([still, bent])).toEqual([`${owner.urn} ${why}`]);
});

it.each(["update", "same"] as const)("tells of what a new component takes over as it was (%s)", (op) => {
  const { owner, family } = container();
  const keys = family.find(({ name }) => name.endsWith("-authorized-keys")) as Change;
  const others = family.filter((one) => one !== keys);
  // By an alias of an object that someone made beside, and a transform that keeps its content.
  const data = { authorized_keys: "ssh-ed25519 AAAA another's" };
  const taken = { ...keys, op, before: { ...keys.after, data }, after: { ...keys.after, data } };
  expect(said([owner, taken, ...others])).toEqual([
    expect.stringContaining("-authorized-keys data.authorized_keys is not what the arguments of"),
  ]);
  expect(said([owner, { ...keys, op, before: taken.before }, ...others])).toEqual([]);
});

it("tells of a new object without what is left alone in one that is there", () => {
  const job = changes.find(({ type }) => type.endsWith(":Job")) as Change;
  const { spec: _, ...others } = job.after ?? {};
  const owner = changes.find(({ urn }) => urn === job.parent) as Change;
  const family = changes.filter(({ parent, urn }) => parent === owner.urn && urn !== job.urn);
  expect(said([owner, ...family, { ...job, after: others }])).toEqual([
    expect.stringMatching(
      /::storagea\d+-prepare-\d+ spec is not what the arguments of storagea\d+ say \([0-9a-f]{40}\)$/,
    ),
  ]);
});

it("knows a component by the whole of its logical name", () => {
  const { owner, family } = container();
  const called = (urn: string) => urn.replace(`::${owner.name}`, `::of::${owner.name}`);
  const parent = called(owner.urn);
  const objects = family.map((one) => ({ ...one, urn: called(one.urn), parent }));
  const named = { ...owner, urn: parent, after: { ...owner.after, name: owner.name } };
  expect(objects.length).toBeGreaterThan(5);
  expect(said([named, ...objects])).toEqual([]);
});

it("tells of a component that takes over one of another type, with its arguments", () => {
  const { owner, family } = container();
  const taken = { ...owner, op: "same" as const, before: owner.after };
  expect(said([taken, ...family])).toEqual([]);
  expect(said([{ ...taken, formerType: "example:index:Harmless" }, ...family])).toEqual([
    `${owner.urn} it takes over what was example:index:Harmless, whose arguments nobody judged`,
  ]);
});
