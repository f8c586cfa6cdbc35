/**
 * Root that may mount, route and trace inside, as an engine needs, tries to get out or sideways: each attempt is refused or
 * contained, and its twin works.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { imageRef } from "../../packages/lab/src/images/index.ts";
import { type AttackBox, attackBox, namesOf } from "../support/attack-box.ts";
import { giveEnginesToAll } from "../support/cluster.ts";
import { allowedInside, engineAttempts } from "../support/engine-attempts.ts";
import { loadEngineImages } from "../support/engine-stack.ts";
import { eventually, getObject, kubectl } from "../support/lab.ts";
import { type Attempt, attempts } from "../support/root-attempts.ts";

const names = namesOf(engineAttempts);
let box: AttackBox;
let all: ReadonlyMap<string, Attempt>;
let allowed: ReadonlyMap<string, Attempt>;

beforeAll(async () => {
  giveEnginesToAll();
  const images = await loadEngineImages();
  box = await attackBox("break");
  await box.stack.laptop.scp(["-q", images.busybox.tar, "box:base.tar"], 300);
  await eventually("the engine", async () => (await box.asRoot("podman version")).code === 0, 60);
  const load = `podman load -qi /home/jovyan/base.tar && podman tag ${imageRef("busybox")} localhost/base`;
  expect(await box.asRoot(load)).toMatchObject({ code: 0 });
  all = new Map(engineAttempts(box.doors).map((one) => [one.name, one]));
  allowed = new Map(attempts(box.doors).map((one) => [one.name, one]));
});
afterAll(() => box?.close());

describe("root, with every capability that an engine has,", () => {
  it("is at least thirty attempts", () => {
    expect(names.length).toBeGreaterThanOrEqual(30);
    expect(new Set(names).size).toBe(names.length);
  });

  it.each(allowedInside)("may do, in namespaces of its own pod's: %s", async (name) => {
    const { attempt } = allowed.get(name) as Attempt;
    expect(await box.asRoot(attempt)).toMatchObject({ code: 0 });
  });

  it.each(names)("gets nothing by: %s", async (name) => {
    const { attempt, refused, twin } = all.get(name) as Attempt;
    expect(await box.asRoot(twin)).toMatchObject({ code: 0 });
    const outcome = await box.asRoot(attempt);
    expect(outcome.code).not.toBe(0);
    expect(`${outcome.stderr}${outcome.stdout}`).toMatch(refused);
  });

  it("ends nobody's container: it is the same pod as at first", async () => {
    const { status } = await getObject<{ status: { containerStatuses: { restartCount: number }[] } }>([
      ...["-n", "team-break", "pod", "box-0"],
    ]);
    expect(status.containerStatuses.map(({ restartCount }) => restartCount)).toEqual([0]);
    await kubectl(["-n", "strangers-break", "get", "pod", "probe"]);
  });
});
