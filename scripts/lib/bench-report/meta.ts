/** What a run was made with. */
import { spawnSync } from "node:child_process";
import { toolVersions } from "@drawbridge-iac/lab";
import { silentProgress } from "../../../packages/lab/src/progress.ts";
import { pulumiTools } from "../../../packages/lab/src/pulumi.ts";

export interface BenchMeta {
  /** The commit that was measured, with "-changed" behind it when the work tree differed from it. */
  readonly commit: string;
  /** Scenarios of parts that were measured at another commit, with the same packages. */
  readonly others?: Readonly<Record<string, string>>;
  /** Program -> version. */
  readonly versions: Readonly<Record<string, string>>;
  /** Which Pulumi CLI and Kubernetes provider ran. */
  readonly provider: string;
  /** With the sizes that take hours. */
  readonly full: boolean;
}

export async function benchMeta(full: boolean): Promise<BenchMeta> {
  const git = (...args: string[]) => spawnSync("git", args, { encoding: "utf8" }).stdout.trim();
  const changed = git("status", "--porcelain", "--untracked-files=no") === "" ? "" : "-changed";
  return {
    commit: `${git("rev-parse", "HEAD")}${changed}`,
    versions: { ...toolVersions(), node: process.version },
    provider: (await pulumiTools(silentProgress)).summary,
    full,
  };
}
