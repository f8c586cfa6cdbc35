/**
 * What root and root with an engine try elsewhere (test/long), on a kernel with cgroups of version 2 and AppArmor: each
 * attempt beside its twin.
 */
import { ensureImages, lineProgress } from "@drawbridge-iac/lab";
import { afterAll, beforeAll, describe } from "vitest";
import { type AttackBox, attackBox, loadBase, triesAll } from "../support/breakouts/box.ts";
import { engineAttempts } from "../support/breakouts/engine-attempts.ts";
import { attempts, type Doors } from "../support/breakouts/root-attempts.ts";
import { giveEnginesToAll, giveRootToAll } from "../support/lab/cluster.ts";
import { keepOthersOff, letOthersOn, startSeconds, there } from "./machine.fixture.ts";

/** Ends the whole container here, see promises.test.ts. */
const endsAll = "more memory than its limit";
const without = (all: typeof attempts) => (doors: Doors) => all(doors).filter(({ name }) => name !== endsAll);

let box: AttackBox;
beforeAll(keepOthersOff);
afterAll(letOthersOn);

describe("root, on a machine of its own,", () => {
  beforeAll(async () => {
    giveRootToAll();
    box = await attackBox("out", { scheduling: there }, startSeconds);
  });
  afterAll(() => box?.close());

  triesAll("out", without(attempts), () => box);
});

describe("root with an engine, on a machine of its own,", () => {
  beforeAll(async () => {
    giveEnginesToAll();
    box = await attackBox("break", { scheduling: there }, startSeconds);
    const { busybox } = await ensureImages(["busybox"], lineProgress());
    await loadBase(box, busybox.tar, { copy: 600, engine: 300, load: 600 });
  });
  afterAll(() => box?.close());

  triesAll("break", without(engineAttempts), () => box);
});
