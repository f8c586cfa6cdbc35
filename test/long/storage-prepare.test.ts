/** Preparations that fill, copy, run again when told to, fail, and never end. */
import type { StorageAccessorArgs, StorageStatus } from "@drawbridge-iac/drawbridge";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { imageRef } from "../../packages/lab/src/images/index.ts";
import { testStack } from "../../scripts/lib/engine/engine.ts";
import { apply, kubectl } from "../../scripts/lib/lab/lab.ts";
import { endStack } from "../support/lab/cluster.ts";
import { prepareWith, testStorage } from "../support/stacks/storage.ts";

const team = "team-prep";

let stack: Awaited<ReturnType<typeof testStack>>;

beforeAll(async () => {
  const labels = { "pod-security.kubernetes.io/enforce": "restricted" };
  const namespace = { apiVersion: "v1", kind: "Namespace", metadata: { name: team, labels } };
  await apply(namespace);
  stack = await testStack(async () => ({}));
});

afterAll(() => endStack(stack, [team]));

interface Shipped extends Partial<StorageAccessorArgs> {
  readonly name: string;
}

/** Ships storages and tells their states; what was shipped before is removed, its claims stay. */
async function ship(...storages: Shipped[]): Promise<string[]> {
  stack.setProgram(async () => {
    const made = storages.map(({ name, ...args }) => testStorage(name, { namespace: team, ...args }));
    return { states: made.map(({ status }) => status) };
  });
  const { outputs } = await stack.stack.up({ refresh: true });
  const states = outputs.states?.value as StorageStatus[];
  return states.map(({ phase, conditions }) => [phase, ...conditions.map(({ reason }) => reason)].join(" "));
}

/** What a preparation's log says. */
const log = (job: string) => kubectl(["-n", team, "logs", `job/${job}`]);

describe("a preparation", () => {
  const seed = prepareWith("date +%s%N > when; mkdir -p deep; ln -s ../when deep/link; cat when");

  it("runs once, and again only under another revision", async () => {
    expect(await ship({ name: "base", prepare: seed })).toEqual(["Ready Complete"]);
    const when = await log("base-prepare-1");

    const changed = { ...seed, args: ["cat when; echo changed"] };
    expect(await ship({ name: "base", prepare: changed })).toEqual(["Ready Complete"]);
    expect(await log("base-prepare-1")).toBe(when);

    const again = { ...seed, args: ["cat when; echo again"], revision: "2" };
    expect(await ship({ name: "base", prepare: again })).toEqual(["Ready Complete"]);
    expect(await log("base-prepare-2")).toBe(`${when}again\n`);
    expect(await kubectl(["-n", team, "get", "jobs", "-o", "name"])).toBe("job.batch/base-prepare-2\n");
  });

  it("copies another storage, links as links", async () => {
    const base = { name: "base", prepare: { ...seed, revision: "2" } };
    const copyFrom = { name: "base", namespace: team, claimName: "base-storage" };
    const copy = { name: "copy", prepare: { image: imageRef("busybox"), copyFrom } };
    expect(await ship(base, copy)).toEqual(["Ready Complete", "Ready Complete"]);
    const look = { ...prepareWith("readlink deep/link; cat deep/link"), revision: "2" };
    expect(await ship(base, { name: "copy", prepare: look })).toEqual(["Ready Complete", "Ready Complete"]);
    expect(await log("copy-prepare-2")).toBe(`../when\n${(await log("base-prepare-2")).split("\n")[0]}\n`);
  });

  it.each([
    ["fails", "failing", prepareWith("echo no such model >&2; exit 3"), {}, "BackoffLimitExceeded"],
    [
      "never ends",
      "endless",
      { ...prepareWith("sleep 1000"), activeDeadlineSeconds: 6 },
      {},
      "DeadlineExceeded",
    ],
    [
      "waits for a class that does not exist",
      "classless",
      { ...prepareWith("true"), activeDeadlineSeconds: 6 },
      { storageClassName: "no-such-class" },
      "DeadlineExceeded",
    ],
  ])("that %s fails the update and says why", async (_, name, prepare, more, reason) => {
    await expect(ship({ name, prepare: { ...prepare, backoffLimit: 0 }, ...more })).rejects.toThrow(reason);
  });

  it("that nothing waits for shows its failure as the state", async () => {
    const quiet = { name: "quiet", wait: false, prepare: { ...prepareWith("exit 3"), backoffLimit: 0 } };
    expect(await ship(quiet)).toEqual(["Preparing Running"]);
    await kubectl(["-n", team, "wait", "--for=condition=Failed", "job/quiet-prepare-1", "--timeout=60s"]);
    expect(await ship(quiet)).toEqual(["Failed BackoffLimitExceeded"]);
  });
});
