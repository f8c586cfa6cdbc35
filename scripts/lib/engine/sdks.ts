/** The SDKs of other languages, installed as a user would install them. */
import { cp, mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { ensureDebianPackages, ensureTools, goCommand, silentProgress } from "@drawbridge-iac/lab";
import { pulumiTools } from "../../../packages/lab/src/pulumi.ts";
import { sdkVersions } from "../../../packages/lab/src/tools/versions.ts";
import { goArchive, goModule, makeSdks, wheelFile } from "../../release/sdks.ts";
import { expectSuccess, run } from "../lab/lab.ts";
import { projectVersion } from "../versions.ts";
import { withPlugin } from "./remote.ts";

export const programs = "test/programs/languages";
const version = projectVersion();
const long = { timeoutSeconds: 1800 };

/** The folder with the SDKs: the release's, if `DRAWBRIDGE_RELEASE` names one, else made in `folder`. */
export async function sdksIn(folder: string): Promise<string> {
  const made = process.env.DRAWBRIDGE_RELEASE;
  if (made !== undefined) return resolve(made, "sdks");
  const sdks = join(folder, "sdks");
  await makeSdks(sdks, version, silentProgress);
  return sdks;
}

/** What programs in Python import beside the SDK. */
export const kubernetesPython = `pulumi-kubernetes==${sdkVersions().asked}`;

/** A fresh virtual environment with the wheel in `sdks` and other packages; returns its `python`. */
export async function pythonWith(sdks: string, folder: string, packages: string[] = []): Promise<string> {
  await expectSuccess(run("python3", ["-m", "venv", folder], long));
  const python = join(folder, "bin", "python");
  const wheel = join(sdks, wheelFile(version));
  await expectSuccess(run(python, ["-m", "pip", "install", "--quiet", wheel, ...packages], long));
  return python;
}

/** Fills a folder with what a module proxy has once the archive in `sdks` is published. */
export async function goProxy(sdks: string, proxy: string): Promise<void> {
  const place = join(proxy, goModule, "@v");
  await mkdir(place, { recursive: true });
  const archive = join(sdks, goArchive(version));
  await cp(archive, join(place, `v${version}.zip`));
  await ensureDebianPackages(["unzip"], silentProgress);
  const file = `${goModule}@v${version}/go.mod`;
  const { stdout } = await expectSuccess(run("unzip", ["-p", archive, file]));
  await writeFile(join(place, `v${version}.mod`), stdout);
  await writeFile(join(place, `v${version}.info`), JSON.stringify({ Version: `v${version}` }));
}

/**
 * A fresh Go module with files of a program, which gets the SDK from the archive in `sdks` as from a module proxy.
 * @param replaced folders that stand for other modules
 */
export async function goWith(
  sdks: string,
  folder: string,
  files: Readonly<Record<string, string>>,
  replaced: Readonly<Record<string, string>> = {},
) {
  const proxy = join(folder, "proxy");
  await goProxy(sdks, proxy);
  const own = join(folder, "program");
  await mkdir(own);
  const write = (name: string, text: string) =>
    writeFile(join(own, name), text.replace("DRAWBRIDGE_MODULE", goModule));
  for (const [name, text] of Object.entries(files)) await write(name, text);
  const compiler = await goCommand(silentProgress);
  const asked = await expectSuccess(run(compiler, ["env", "GOPROXY", "GOMODCACHE"]));
  const [usual, fetched] = asked.stdout.trim().split("\n");
  const env = {
    GOPROXY: `file://${proxy},file://${fetched}/cache/download,${usual}`,
    GONOSUMDB: goModule,
    // Go keeps a version for good, and this one may be another the next time. Only what it compiled is shared.
    GOMODCACHE: join(folder, "modules"),
    GOFLAGS: "-mod=mod -modcacherw -trimpath",
    GOWORK: "off",
    GOTOOLCHAIN: "local",
  };
  const go = (...args: string[]) => run(compiler, args, { cwd: own, env, ...long });
  await expectSuccess(go("mod", "init", "example.com/team"));
  for (const [path, place] of Object.entries(replaced)) {
    await expectSuccess(go("mod", "edit", `-replace=${path}=${place}`));
  }
  await expectSuccess(go("get", `${goModule}@v${version}`));
  await expectSuccess(go("mod", "tidy"));
  return { folder: own, go, write };
}

/**
 * As much of Pulumi's Kubernetes SDK for Go as the examples use, made by Pulumi's own generator: the proxy of this
 * machine has no module of it.
 */
export async function kubernetesGo(folder: string): Promise<Record<string, string>> {
  const { "sdk-generator": generator } = await ensureTools(["sdk-generator"], silentProgress);
  const schema = JSON.parse(await readFile(join(programs, "kubernetes.json"), "utf8"));
  await mkdir(folder);
  const file = join(folder, "schema.json");
  await writeFile(file, JSON.stringify({ ...schema, version: sdkVersions().asked }));
  await expectSuccess(run(generator, ["generate", file, folder]));
  // The packages stand in the module's folder `go`.
  await rename(join(folder, "go", "go.mod"), join(folder, "go.mod"));
  return { "github.com/pulumi/pulumi-kubernetes/sdk/v4": folder };
}

/** Files of `test/programs/languages`. */
export async function programFiles(...names: string[]): Promise<Record<string, string>> {
  const files = names.map(async (name) => [name, await readFile(join(programs, name), "utf8")] as const);
  return Object.fromEntries(await Promise.all(files));
}

/** What a program in another language runs in: the tests' Pulumi and plugins, and a folder of states. */
export async function languageEnv(backend: string): Promise<Record<string, string>> {
  const tools = await pulumiTools(silentProgress);
  await mkdir(backend, { recursive: true });
  return {
    ...tools.env,
    PATH: withPlugin(tools.env.PATH),
    PULUMI_BACKEND_URL: `file://${backend}`,
    PULUMI_CONFIG_PASSPHRASE: "only for tests",
    PYTHONDONTWRITEBYTECODE: "1",
  };
}

/** Runs a program that prints more than a child process may say, such as a digest. */
export async function runToFile(
  words: readonly string[],
  { folder, ...options }: { folder: string; cwd?: string; env: Record<string, string> },
) {
  const file = join(folder, "said");
  const script = 'said=$1; shift; exec "$@" >"$said"';
  const { code, stderr } = await run("sh", ["-c", script, "sh", file, ...words], { ...options, ...long });
  return { code, stdout: await readFile(file, "utf8"), stderr };
}
