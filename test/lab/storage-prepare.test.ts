/** Preparations that fill, copy, run again when told to, fail, and never end. */
import type { StorageAccessorArgs } from "@drawbridge-iac/drawbridge";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { imageRef } from "../../packages/lab/src/images/index.ts";
import { testStack } from "../support/engine.ts";
import { kubectl } from "../support/lab.ts";
import { prepareWith, testStorage } from "../support/storage.ts";

const team = "team-prep";
type Prepare = NonNullable<StorageAccessorArgs["prepare"]>;

let stack: Awaited<ReturnType<typeof testStack>>;

beforeAll(async () => {
  const labels = { "pod-security.kubernetes.io/enforce": "restricted" };
  const namespace = { apiVersion: "v1", kind: "Namespace", metadata: { name: team, labels } };
  await kubectl(["apply", "-f", "-"], JSON.stringify(namespace));
  stack = await testStack(async () => ({}));
});

afterAll(async () => {
  await stack.stack.destroy();
  await kubectl(["delete", "namespace", team, "--ignore-not-found", "--wait=false"]);
  await stack.removeState();
});

/** Ships one storage called `base` and, with `copy`, another one that is a copy of it; tells their states. */
async function ship(prepare: Prepare, more: Partial<StorageAccessorArgs> = {}, copy = false) {
  stack.setProgram(async () => {
    const base = testStorage("base", { namespace: team, prepare, ...more });
    const copies = copy
      ? [
          testStorage("copy", {
            namespace: team,
            prepare: { image: imageRef("busybox"), copyFrom: base.ref },
          }),
        ]
      : [];
    return { states: [base, ...copies].map(({ state }) => state) };
  });
  const result = await stack.stack.up({ refresh: true });
  return result.outputs.states?.value as string[];
}

/** What a preparation's log says. */
const log = (job: string) => kubectl(["-n", team, "logs", `job/${job}`]);

describe("a preparation", () => {
  it("runs once, and again only under another revision", async () => {
    const first = prepareWith("date +%s%N > when; mkdir -p deep; ln -s ../when deep/link; cat when");
    expect(await ship(first)).toEqual(["Ready"]);
    const when = await log("base-prepare-1");

    expect(await ship({ ...first, args: ["cat when; echo changed"] })).toEqual(["Ready"]);
    expect(await log("base-prepare-1")).toBe(when);

    expect(await ship({ ...first, args: ["cat when; echo again"], revision: "2" })).toEqual(["Ready"]);
    expect(await log("base-prepare-2")).toBe(`${when}again\n`);
    expect(await kubectl(["-n", team, "get", "jobs", "-o", "name"])).toBe("job.batch/base-prepare-2\n");
  });

  it("copies another storage, links as links", async () => {
    const same = { ...prepareWith("true"), revision: "2" };
    expect(await ship(same, {}, true)).toEqual(["Ready", "Ready"]);
    const look = { ...prepareWith("cat when && readlink deep/link"), revision: "3" };
    stack.setProgram(async () => {
      const copy = testStorage("copy", { namespace: team, prepare: look });
      return { states: [copy.state] };
    });
    await stack.stack.up();
    expect((await log("copy-prepare-3")).split("\n")[1]).toBe("../when");
  });

  it.each([
    ["fails", prepareWith("echo no such model >&2; exit 3"), {}, "BackoffLimitExceeded"],
    ["never ends", { ...prepareWith("sleep 1000"), timeLimitSeconds: 6 }, {}, "DeadlineExceeded"],
    [
      "waits for a class that does not exist",
      { ...prepareWith("true"), timeLimitSeconds: 6 },
      { name: "classless", storageClass: "no-such-class" },
      "DeadlineExceeded",
    ],
  ])("that %s fails the update and says why", async (_, prepare, more, reason) => {
    const revision = `r${Math.random().toString(36).slice(2, 8)}`;
    await expect(ship({ ...prepare, attempts: 1, revision }, more)).rejects.toThrow(reason);
  });

  it("that nothing waits for shows its failure as the state", async () => {
    const failing = { ...prepareWith("exit 3"), attempts: 1, revision: "quiet" };
    expect(await ship(failing, { wait: false })).toEqual(["Preparing"]);
    await kubectl(["-n", team, "wait", "--for=condition=Failed", "job/base-prepare-quiet", "--timeout=60s"]);
    expect(await ship(failing, { wait: false })).toEqual([
      "Failed: BackoffLimitExceeded: Job has reached the specified backoff limit",
    ]);
  });
});
