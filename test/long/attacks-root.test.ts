/**
 * Root inside a container tries to get out, or sideways: each attempt is refused or contained, and its twin works. How many
 * processes one may have is the kubelet's to say (`podPidsLimit`), and with whose address packets are sent the network
 * plugin's.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AttackBox, attackBox, triesAll } from "../support/breakouts/box.ts";
import { attempts } from "../support/breakouts/root-attempts.ts";
import { giveRootToAll } from "../support/lab/cluster.ts";

let box: AttackBox;

beforeAll(async () => {
  giveRootToAll();
  box = await attackBox("out");
});
afterAll(() => box?.close());

describe("root, with every capability that the container has,", () => {
  triesAll("out", attempts, () => box);

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
    expect(await stack.output("plain", "stat -c %a /theirs/home/as-root; /theirs/home/as-root -u")).toBe(
      "4755\n1000\n",
    );
  });
});
