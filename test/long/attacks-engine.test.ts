/**
 * Root that may mount, route and trace inside, as an engine needs, tries to get out or sideways: each attempt is refused or
 * contained, and its twin works.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { imageRef } from "../../packages/lab/src/images/index.ts";
import { eventually, kubectl } from "../../scripts/lib/lab/lab.ts";
import { type AttackBox, attackBox, loadBase, triesAll } from "../support/breakouts/box.ts";
import { allowedInside, engineAttempts } from "../support/breakouts/engine-attempts.ts";
import { type Attempt, attempts } from "../support/breakouts/root-attempts.ts";
import { giveEnginesToAll } from "../support/lab/cluster.ts";
import { loadEngineImages } from "./engine-stack.fixture.ts";
import { nodeFolder, plant, startCareless } from "./planted-links.fixture.ts";

/** A namespace without policies. */
const careless = "careless-break";
let box: AttackBox;
let allowed: ReadonlyMap<string, Attempt>;

beforeAll(async () => {
  giveEnginesToAll();
  const images = await loadEngineImages();
  box = await attackBox("break");
  await loadBase(box, images.busybox.tar);
  allowed = new Map(attempts(box.doors).map((one) => [one.name, one]));
});
afterAll(() => box?.close());

describe("root, with every capability that an engine has,", () => {
  it.each(allowedInside)("may do, in namespaces of its own pod's: %s", async (name) => {
    const { attempt } = allowed.get(name) as Attempt;
    expect(await box.asRoot(attempt)).toMatchObject({ code: 0 });
  });

  triesAll("break", engineAttempts, () => box);

  it("leads the kubelet nowhere by links in the folders of sshd's files, as it would where the kubelet writes", async () => {
    const [kept, lost] = [await nodeFolder(), await nodeFolder()];
    try {
      // The twin: where nothing refuses the pod, the node loses a folder.
      await startCareless(careless, imageRef("containers"));
      const planted = await kubectl([
        "-n",
        careless,
        "exec",
        "careless",
        "--",
        "sh",
        "-c",
        plant("/keys", lost),
      ]);
      expect(planted).toBe(`${lost.link}\n`);
      const patch = ["patch", "configmap", "keys", "-p", JSON.stringify({ data: { key: "second" } })];
      await kubectl(["-n", careless, ...patch]);
      await eventually("the kubelet's next write", async () => (await lost.files()).length === 0, 180);

      const folders = ["sshd", "authorized-keys", "host-keys"].map((name) => `/etc/drawbridge/${name}`);
      for (const folder of folders)
        expect(await box.asRoot(plant(folder, kept))).toMatchObject({ code: 0, stdout: `${kept.link}\n` });
      expect(await box.asRoot(`ln -sfn ${kept.link} /run/drawbridge/..data`)).toMatchObject({ code: 0 });
      const change = { data: { authorized_keys: `${box.stack.laptop.publicKey}\n# changed\n` } };
      const target = ["-n", "team-break", "patch", "configmap", "box-authorized-keys"];
      await kubectl([...target, "-p", JSON.stringify(change)]);
      await kubectl(["-n", careless, ...patch.slice(0, -1), JSON.stringify({ data: { key: "third" } })]);
      const third = ["-n", careless, "exec", "careless", "--", "cat", "/keys/key"];
      await eventually("as long as a change takes", async () => (await kubectl(third)) === "third", 180);
      await box.stack.restart("box");
      expect(await kept.files()).toEqual(["kept", "kept/file"]);
    } finally {
      await kubectl(["delete", "namespace", careless, "--ignore-not-found", "--wait=false"]);
      await Promise.all([kept.remove(), lost.remove()]);
    }
  });
});
