/** The SDKs for Python and Go, made from the plugin's schema by Pulumi's own generators, and packed. */
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ensurePython, ensureTools, type Progress } from "@drawbridge-iac/lab";
import { schemaFile } from "../lib/plugin-schema.ts";
import { run } from "../lib/published.ts";
import { writtenRepository } from "../lib/repository.ts";

/** Path of the Go module, as a folder of the repository. */
export const goModule = `github.com/${writtenRepository()}/sdk/go/drawbridge`;

/** The wheel. Python writes 1.0.0-rc.1 otherwise (PEP 440). */
export function wheelFile(version: string): string {
  const python = version.replace(
    /-(alpha|beta|rc)\.?(\d+)$/,
    (_, stage: string, number: string) => `${{ alpha: "a", beta: "b", rc: "rc" }[stage]}${number}`,
  );
  return `pulumi_drawbridge-${python}-py3-none-any.whl`;
}

/** The Go module's archive, as module proxies keep it. */
export const goArchive = (version: string) => `drawbridge-go-${version}.zip`;

const readme = `Components in Python for SSH-reachable development containers on Kubernetes. They run in the Pulumi plugin
\`pulumi-resource-drawbridge\` of the same version, which has to be on PATH:

    npm install --global @drawbridge-iac/drawbridge @pulumi/pulumi @pulumi/kubernetes
`;

/** The schema as the SDKs are made of it: with a version, and with what only published packages have. */
export function releasedSchema(version: string): object {
  const { language, ...schema } = JSON.parse(readFileSync(schemaFile, "utf8"));
  return {
    ...schema,
    version,
    language: {
      ...language,
      go: { ...language.go, importBasePath: goModule, modulePath: goModule },
      python: { ...language.python, readme },
    },
  };
}

/** Writes the wheel and the Go module's archive into `target`. */
export async function makeSdks(target: string, version: string, progress: Progress): Promise<void> {
  await ensurePython(progress);
  const { "sdk-generator": generator } = await ensureTools(["sdk-generator"], progress);
  const work = join(target, ".work");
  mkdirSync(work, { recursive: true });
  await progress.step("SDKs of other languages", async () => {
    const schema = join(work, "schema.json");
    writeFileSync(schema, JSON.stringify(releasedSchema(version)));
    run(generator, ["generate", schema, work]);
    // Where the wheel's description looks for it.
    cpSync(join(work, "python/pulumi_drawbridge/README.md"), join(work, "python/README.md"));
    for (const folder of ["python", "go"]) cpSync("LICENSE", join(work, folder, "LICENSE"));
    run("python3", ["-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", work, join(work, "python")]);
    const wheel = wheelFile(version);
    cpSync(join(work, wheel), join(target, wheel));
    run(generator, ["pack", join(work, "go"), `${goModule}@v${version}`, join(target, goArchive(version))]);
  });
  rmSync(work, { recursive: true });
}
