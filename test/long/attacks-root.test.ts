/**
 * Root inside a container tries to get out, or sideways: each attempt is refused or contained, and its twin works. How many
 * processes one may have is the kubelet's to say (`podPidsLimit`), and with whose address packets are sent the network
 * plugin's.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { giveRootToAll } from "../support/lab/cluster.ts";
import { getObject, kubectl } from "../support/lab/lab.ts";
import { type AttackBox, attackBox, namesOf } from "./attack-box.fixture.ts";
import { type Attempt, attempts } from "./root-attempts.fixture.ts";

const names = namesOf(attempts);
let box: AttackBox;
let all: ReadonlyMap<string, Attempt>;

beforeAll(async () => {
  giveRootToAll();
  box = await attackBox("out");
  all = new Map(attempts(box.doors).map((one) => [one.name, one]));
});
afterAll(() => box?.close());

describe("root, with every capability that the container has,", () => {
  it("is at least thirty attempts", () => {
    expect(names.length).toBeGreaterThanOrEqual(30);
    expect(new Set(names).size).toBe(names.length);
  });

  it.each(names)("gets nothing by: %s", async (name) => {
    const { attempt, refused, twin } = all.get(name) as Attempt;
    expect(await box.asRoot(twin)).toMatchObject({ code: 0 });
    const outcome = await box.asRoot(attempt);
    expect(outcome.code).not.toBe(0);
    expect(outcome.stderr).toMatch(refused);
  });

  it("leaves a program on a volume that runs as its owner nowhere else", async () => {
    const { stack } = box;
    const made = "cp /usr/bin/id /home/jovyan/as-root && chmod 4755 /home/jovyan/as-root";
    expect(await box.asRoot(made)).toMatchObject({ code: 0 });
    // Its twin: inside, where root is root, it does.
    expect(await stack.output("box", "./as-root -u")).toBe("0\n");
    await stack.up({
      ...stack.containers,
      plain: { root: false, mounts: [{ claimName: "box-home", mountPath: "/theirs" }] },
    });
    expect(await stack.output("plain", "stat -c %a /theirs/as-root; /theirs/as-root -u")).toBe(
      "4755\n1000\n",
    );
  });

  it("ends nobody's container: it is the same pod as at first", async () => {
    const { status } = await getObject<{ status: { containerStatuses: { restartCount: number }[] } }>([
      ...["-n", "team-out", "pod", "box-0"],
    ]);
    expect(status.containerStatuses.map(({ restartCount }) => restartCount)).toEqual([0]);
    await kubectl(["-n", "strangers-out", "get", "pod", "probe"]);
  });
});
