import { expect, it } from "vitest";
import type { Change } from "../change.ts";
import { change } from "../sample.fixture.ts";
import { volumeLeftBehind } from "./volume-left-behind.ts";

const object = (name: string, namespace = "team-a") => ({ metadata: { name, namespace } });
const removed = (fields: Partial<Change> & { of?: string } = {}) =>
  change("PersistentVolumeClaim", "dev1-home", {
    op: "delete",
    retained: true,
    of: "DevContainer dev1",
    before: object("dev1-home"),
    ...fields,
  });
const made = (name: string, of: string, namespace?: string) =>
  change("PersistentVolumeClaim", name, { op: "create", of, after: object(name, namespace) });
const check = (one: Change, ...others: Change[]) => volumeLeftBehind.check(one, [one, ...others]);

it("refuses a container under another name that would begin with an empty home", () => {
  expect(check(removed(), made("dev2-home", "DevContainer dev2"))).toEqual([
    'the volume dev1-home would stay behind unused while dev2-home begins empty; if dev1 is called dev2 now, give it home.claimName: "dev1-home" and hostKey.identity: "team-a/dev1"',
  ]);
});

it("names all new containers that an old one may have become in one sentence", () => {
  const others = ["dev10", "dev3", "dev2"].map((name) => made(`${name}-home`, `DevContainer ${name}`));
  expect(check(removed(), ...others)).toEqual([
    'the volume dev1-home would stay behind unused while dev2-home, dev3-home, dev10-home begin empty; if dev1 is called one of dev2, dev3, dev10 now, give it home.claimName: "dev1-home" and hostKey.identity: "team-a/dev1"',
  ]);
});

it("names the argument that takes each kind of volume back", () => {
  const persist = change("PersistentVolumeClaim", "dev1-persist", { ...removed(), name: "dev1-persist" });
  expect(check(persist, made("dev2-persist", "DevContainer dev2"))[0]).toMatch(
    / now, give it persistVolume\.claimName: "dev1-home"$/,
  );
  const storage = removed({ of: "StorageAccessor models" });
  const claim = { ...storage, name: "models-claim", before: object("models-storage") };
  expect(check(claim, made("data-claim", "StorageAccessor data"))[0]).toMatch(
    /, give it claimName: "models-storage"$/,
  );
});

it("lets a container be removed, adopt a claim, or be made beside another namespace's or kind's removal", () => {
  expect(check(removed())).toEqual([]);
  expect(
    check(removed(), change("StatefulSet", "dev2-workload", { op: "create", of: "DevContainer dev2" })),
  ).toEqual([]);
  expect(check(removed(), made("dev2-home", "DevContainer dev2", "team-b"))).toEqual([]);
  expect(check(removed(), made("dev2-persist", "DevContainer dev2"))).toEqual([]);
  expect(check(removed(), made("data-claim", "StorageAccessor data"))).toEqual([]);
  // A claim that is not kept: volume-lost reports it.
  expect(check(removed({ retained: false }), made("dev2-home", "DevContainer dev2"))).toEqual([]);
});
