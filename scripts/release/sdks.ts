/** The SDKs for Python and Go, made from the plugin's schema by Pulumi's own generators, and packed. */
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { ensureGo, type Progress } from "@drawbridge-iac/lab";
import { schemaFile } from "../lib/plugin-schema.ts";
import { run } from "../lib/published.ts";

const generator = "scripts/release/sdks";

/** The repository's name on GitHub, which a Go module's path and the plugin's address are made of. */
const repository = () => process.env.GITHUB_REPOSITORY ?? "drawbridge-iac/drawbridge";

/** Path of the Go module, which is a folder of the repository. */
export const goModule = () => `github.com/${repository()}/sdk/go/drawbridge`;

/** What a Python version is called: PEP 440 writes 1.0.0-rc.1 otherwise. */
export const pythonVersion = (version: string) =>
  version.replace(
    /-(alpha|beta|rc)\.?(\d+)$/,
    (_, stage: string, number: string) => `${{ alpha: "a", beta: "b", rc: "rc" }[stage]}${number}`,
  );

/** The schema as the SDKs are made of it: with a version, and where Pulumi finds the plugin. */
function releasedSchema(version: string): object {
  const schema = JSON.parse(readFileSync(schemaFile, "utf8"));
  const go = { ...schema.language.go, importBasePath: goModule(), modulePath: goModule() };
  const address = process.env.GITHUB_REPOSITORY;
  return {
    ...schema,
    version,
    ...(address === undefined ? {} : { pluginDownloadURL: `github://api.github.com/${address}` }),
    language: { ...schema.language, go },
  };
}

/** A folder for each SDK's sources in `target`; returns the generator, which packs too. */
export async function generateSdks(target: string, version: string, progress: Progress): Promise<string> {
  mkdirSync(target, { recursive: true });
  const program = resolve(target, "sdks");
  const go = await ensureGo("1.26.3", progress);
  run(
    "env",
    ["GOWORK=off", "GOTOOLCHAIN=local", "GOFLAGS=-mod=readonly -buildvcs=false", go, "build", "-o", program],
    generator,
  );
  const schema = join(target, "schema.json");
  writeFileSync(schema, JSON.stringify(releasedSchema(version)));
  run(program, ["generate", schema, target]);
  finishGo(join(target, "go"));
  // Where its description looks for it.
  cpSync(join(target, "python/pulumi_drawbridge/README.md"), join(target, "python/README.md"));
  for (const folder of ["python", "go"]) cpSync("LICENSE", join(target, folder, "LICENSE"));
  return program;
}

/** What Pulumi leaves to the one who publishes: the module's file, with the versions that the generator is of. */
function finishGo(folder: string): void {
  const pins = readFileSync(join(generator, "go.mod"), "utf8");
  const pinned = ["github.com/blang/semver", "github.com/pulumi/pulumi/sdk/v3"].map((module) => {
    const [, version] = new RegExp(`^\\s${module} (\\S+)`, "m").exec(pins) ?? [];
    if (version === undefined) throw new Error(`${generator}/go.mod does not pin ${module}`);
    return `\t${module} ${version}\n`;
  });
  const [, go] = /^go (\d+\.\d+)/m.exec(pins) ?? [];
  writeFileSync(
    join(folder, "go.mod"),
    `module ${goModule()}\n\ngo ${go}\n\nrequire (\n${pinned.join("")})\n`,
  );
}

/** Writes the wheel and the Go module's archive into `target`. */
export async function makeSdks(target: string, version: string, progress: Progress): Promise<void> {
  const work = join(target, ".work");
  mkdirSync(work, { recursive: true });
  const program = await generateSdks(work, version, progress);
  run("python3", ["-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", target, join(work, "python")]);
  const archive = join(target, `drawbridge-go-${version}.zip`);
  run(program, ["pack", join(work, "go"), `${goModule()}@v${version}`, archive]);
  rmSync(work, { recursive: true });
}
