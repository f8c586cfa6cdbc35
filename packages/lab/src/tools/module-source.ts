import { dirname } from "node:path";
import type { Progress } from "../progress.ts";
import { ensureGo, PINNED } from "./go-toolchain.ts";
import { moduleFile, readModuleFile } from "./module-files.ts";
import { run } from "./run.ts";
import { parseGoMod } from "./versions.ts";

/**
 * The folder in which Go keeps the sources of a pinned module, fetched first if they are not there: for the charts
 * and templates that are data of a module and no program.
 * @param family folder below `packages/lab/tools` whose go.mod pins it, for example `istio`
 * @param module the module's path, for example `istio.io/istio`
 */
export async function moduleSource(family: string, module: string, progress: Progress): Promise<string> {
  const go = await ensureGo(parseGoMod(readModuleFile(family, "go.mod")).go, progress);
  const answer = await run(go, ["mod", "download", "-json", module], {
    cwd: dirname(moduleFile(family, "go.mod")),
    env: PINNED,
  });
  return (JSON.parse(answer) as { Dir: string }).Dir;
}
