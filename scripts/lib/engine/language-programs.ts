/** The team's programs in other languages, built before and cached: a lab has no network to fetch packages from. */
import { readFile, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { cached, fingerprint, type Progress } from "@drawbridge-iac/lab";
import { makeSdks, releasedSchema } from "../../release/sdks.ts";
import { expectSuccess } from "../lab/lab.ts";
import { projectVersion } from "../versions.ts";
import { goWith, kubernetesPython, programFiles, programs, pythonWith } from "./sdks.ts";

/** The words that start the team's program, by language. An operation follows. */
export async function languagePrograms(progress: Progress): Promise<Record<"Python" | "Go", string[]>> {
  const version = projectVersion();
  const files = await programFiles("operate.go", "team.go");
  const made = JSON.stringify([releasedSchema(version), files, await readFile(import.meta.filename, "utf8")]);
  const folder = await cached({
    path: `language-programs/${fingerprint([made])}`,
    onWait: () => progress.note("programs in Python and Go: another process is making them, waiting …"),
    fill: (folder) =>
      progress.step("programs in Python and Go", async () => {
        const work = join(folder, "work");
        await makeSdks(work, version, progress);
        await pythonWith(work, join(folder, "python"), [kubernetesPython]);
        const { go } = await goWith(work, join(work, "go"), files);
        await expectSuccess(go("build", "-o", join(folder, "team"), "."));
        await rm(work, { recursive: true });
      }),
  });
  return {
    Python: [join(folder, "python/bin/python"), resolve(programs, "team.py")],
    Go: [join(folder, "team")],
  };
}
