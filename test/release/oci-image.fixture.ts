/** An image of a release as its OCI archive holds it. */
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { run } from "../support/lab/lab.ts";

export interface OciImage {
  readonly architecture: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly entrypoint: readonly string[];
  /** The folder with its files. */
  readonly root: string;
}

interface Descriptor {
  readonly digest: string;
}

/** Unpacks the one image of an archive into a folder. */
export async function unpackOci(archive: string, folder: string): Promise<OciImage> {
  const [parts, root] = [join(folder, "oci"), join(folder, "root")];
  for (const path of [parts, root]) await mkdir(path, { recursive: true });
  await must("tar", "-xf", archive, "-C", parts);
  const blob = ({ digest }: Descriptor) => join(parts, "blobs", digest.replace(":", "/"));
  const json = async (file: string) => JSON.parse(await readFile(file, "utf8"));
  const { manifests } = (await json(join(parts, "index.json"))) as { manifests: [Descriptor] };
  const manifest = (await json(blob(manifests[0]))) as { config: Descriptor; layers: Descriptor[] };
  for (const layer of manifest.layers) await must("tar", "-xf", blob(layer), "-C", root);
  const { architecture, config = {} } = (await json(blob(manifest.config))) as {
    architecture: string;
    config?: { Labels?: Record<string, string>; Entrypoint?: string[] };
  };
  return { architecture, labels: config.Labels ?? {}, entrypoint: config.Entrypoint ?? [], root };
}

async function must(program: string, ...args: string[]): Promise<void> {
  const { code, stderr } = await run(program, args, { timeoutSeconds: 300 });
  if (code !== 0) throw new Error(`${program} ${args.join(" ")}: ${stderr.trim()}`);
}
