import { spawnSync } from "node:child_process";
import { copyFileSync, globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { copyFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Progress } from "../progress.ts";
import { moduleSource } from "../tools/go.ts";
import { readModuleFile } from "../tools/module-files.ts";
import { ensureDebianPackages } from "../tools/packages.ts";
import { run } from "../tools/run.ts";

/** Adds a file to a build context that is neither in the repository nor one of the lab's programs. */
export interface Preparation {
  /** Everything that decides what the file is. */
  readonly inputs: () => readonly string[];
  /** @param folder the recipe's folder in the build context */
  readonly fill: (folder: string, progress: Progress) => Promise<void>;
}

const debianRelease = "trixie";

// What a container never reads; the licences stay.
const leftOut = [
  "path-exclude=/usr/share/man/*",
  "path-exclude=/usr/share/locale/*",
  "path-exclude=/usr/share/doc/*",
  "path-include=/usr/share/doc/*/copyright",
];

/** A small Debian of its packages; the place for it comes last. */
export const debianArguments = [
  "--variant=minbase",
  '--aptopt=Acquire::Languages "none"',
  ...leftOut.map((option) => `--dpkgopt=${option}`),
  debianRelease,
];

/** `rootfs.tar`: a small Debian, made from its packages since there is no registry to pull it from. */
export const debianRootFileSystem: Preparation = {
  inputs: () => debianArguments,
  fill: async (folder, progress) => {
    await ensureDebianPackages(["mmdebstrap"], progress);
    await run("mmdebstrap", [...debianArguments, join(folder, "rootfs.tar")]);
  },
};

/** `bin/envoy_bootstrap.json`: the template from which pilot-agent writes Envoy's first configuration. */
export const envoyBootstrap = (module: string): Preparation => ({
  inputs: () => [readModuleFile(module, "go.sum")],
  fill: async (folder, progress) => {
    const istio = await moduleSource(module, "istio.io/istio", progress);
    await copyFile(
      join(istio, "tools/packaging/common/envoy_bootstrap.json"),
      join(folder, "bin/envoy_bootstrap.json"),
    );
  },
});

// npm's own package of Node, since the one that runs may need libraries of this machine.
const nodePackage = fileURLToPath(
  new URL(`../../../../node_modules/node-linux-${process.arch}`, import.meta.url),
);

const controllers = fileURLToPath(new URL("../../../controllers", import.meta.url));

/** Bundles the controllers into a folder, as the image's own stage does. */
function bundleControllers(target: string): void {
  const { status, stdout, stderr } = spawnSync("rolldown", ["-c"], {
    cwd: controllers,
    env: { ...process.env, DRAWBRIDGE_CONTROLLERS_DIST: target },
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`rolldown in ${controllers}:\n${stdout}${stderr}`);
  copyFileSync(join(controllers, "package.json"), join(target, "package.json"));
}

/** What the bundles hold; made once for all keys of images. */
let bundled: readonly string[] | undefined;
function bundleTexts(): readonly string[] {
  if (bundled !== undefined) return bundled;
  const folder = mkdtempSync(join(tmpdir(), "drawbridge-controllers-"));
  try {
    bundleControllers(folder);
    bundled = globSync("**/*.js{,on}", { cwd: folder })
      .sort()
      .map((file) => `${file}\n${readFileSync(join(folder, file), "utf8")}`);
    return bundled;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** `bin/node`: the Node that npm brought for this project. */
export const nodeProgram: Preparation = {
  inputs: () => [readFileSync(join(nodePackage, "package.json"), "utf8")],
  fill: async (folder) => {
    await copyFile(join(nodePackage, "bin/node"), join(folder, "bin/node"));
  },
};

/** Node, and the controllers' bundles in `bin/dist`. */
export const bundledControllers: Preparation = {
  inputs: () => [...nodeProgram.inputs(), ...bundleTexts()],
  fill: async (folder, progress) => {
    await nodeProgram.fill(folder, progress);
    bundleControllers(join(folder, "bin/dist"));
  },
};
