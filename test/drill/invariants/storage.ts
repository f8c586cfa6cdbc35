/** What was uploaded into the storage comes back unchanged, and something new can be uploaded. */
import { createHash, randomBytes } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { eventually, run } from "../../../scripts/lib/lab/lab.ts";
import { curl } from "../../support/lab/web.ts";
import { login, writer } from "../../support/stacks/storage.ts";
import type { Invariant } from "../invariant.ts";
import type { Platform } from "../platform.ts";

/** Seconds after a fault was healed. */
const bound = 60;
const bytes = 2_000_000;

const hashOf = (content: Buffer) => createHash("sha256").update(content).digest("hex");

/** Uploads new content and returns its hash; throws with what was answered. */
async function upload({ laptop, storageUrl }: Platform, name: string): Promise<string> {
  const content = randomBytes(bytes);
  const file = join(laptop.folder, "upload");
  await writeFile(file, content);
  const { status, body } = await curl([...login(writer), "-m", "20", "-T", file, `${storageUrl}${name}`]);
  if (status !== 201) throw new Error(`the upload was answered ${status} ${body.trim()}`);
  return hashOf(content);
}

/** The hash of what is downloaded; throws with what was answered. */
async function download({ laptop, storageUrl }: Platform, name: string): Promise<string> {
  const file = join(laptop.folder, "download");
  await run("rm", ["-f", file]);
  const { status } = await curl([...login(writer), "-m", "20", "-o", file, `${storageUrl}${name}`]);
  if (status !== 200) throw new Error(`the download was answered ${status}`);
  return hashOf(await readFile(file));
}

export const storageServes: Invariant = {
  name: "storage keeps and serves",
  async begin(platform) {
    const kept = new Map<string, string>();
    const add = async (name: string) => {
      kept.set(name, await eventually(`an upload of ${name}`, () => upload(platform, name), bound));
    };
    await add("first");
    let round = 0;
    return {
      async look() {
        const breaches: string[] = [];
        const late: string[] = [];
        try {
          for (const [name, sum] of kept) {
            const found = await eventually(`a download of ${name}`, () => download(platform, name), bound);
            if (found !== sum) breaches.push(`the file ${name} of the storage was ${sum}, now ${found}`);
          }
          round += 1;
          // The first one stays, and the newest.
          for (const name of [...kept.keys()].slice(1)) kept.delete(name);
          await add(`file-${round % 5}`);
        } catch (error) {
          late.push((error as Error).message);
        }
        return { breaches, late };
      },
      end: async () => {},
    };
  },
};
