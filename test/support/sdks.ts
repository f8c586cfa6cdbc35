/** The SDKs of other languages, installed as a user would install them. */
import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { ensureGo, silentProgress } from "@drawbridge-iac/lab";
import { goModule, pythonVersion } from "../../scripts/release/sdks.ts";
import { run } from "./lab.ts";
import { expectSuccess } from "./outsider.ts";

const programs = "test/programs/languages";
const long = { timeoutSeconds: 1200 };

/** A virtual environment with the wheel in `sdks`; returns its `python`. */
export async function pythonWith(sdks: string, folder: string, version: string): Promise<string> {
  await expectSuccess(run("python3", ["-m", "venv", folder], long));
  const python = join(folder, "bin", "python");
  const wheel = join(sdks, `pulumi_drawbridge-${pythonVersion(version)}-py3-none-any.whl`);
  await expectSuccess(run(python, ["-m", "pip", "install", "--quiet", "mypy", wheel], long));
  return python;
}

/** A Go module with the test's program, which gets the SDK from the archive in `sdks` as from a module proxy. */
export async function goProgramWith(sdks: string, folder: string, version: string) {
  const proxy = join(folder, "proxy");
  const place = join(proxy, goModule(), "@v");
  const program = join(folder, "program");
  await mkdir(place, { recursive: true });
  await mkdir(program);
  const archive = resolve(sdks, `drawbridge-go-${version}.zip`);
  await cp(archive, join(place, `v${version}.zip`));
  const inside = `${goModule()}@v${version}/go.mod`;
  const { stdout } = await expectSuccess(run("unzip", ["-p", archive, inside]));
  await writeFile(join(place, `v${version}.mod`), stdout);
  await writeFile(join(place, `v${version}.info`), JSON.stringify({ Version: `v${version}` }));
  const text = await readFile(join(programs, "team.go"), "utf8");
  await writeFile(join(program, "main.go"), text.replace("DRAWBRIDGE_MODULE", goModule()));
  await cp("scripts/release/sdks/go.sum", join(program, "go.sum"));
  const compiler = await ensureGo("1.26.3", silentProgress);
  const usual = (await expectSuccess(run(compiler, ["env", "GOPROXY"]))).stdout.trim();
  const env = {
    GOPROXY: `file://${proxy},${usual}`,
    GONOSUMDB: goModule(),
    GOFLAGS: "-mod=mod",
    GOWORK: "off",
  };
  const go = (...args: string[]) => expectSuccess(run(compiler, args, { cwd: program, env, ...long }));
  await go("mod", "init", "example.com/team");
  await go("get", `${goModule()}@v${version}`);
  return { folder: program, go };
}
